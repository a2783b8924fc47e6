package dev.sheaf.server.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// Ports of this machine.
public final class Ports {
    private Ports() {}

    /// One that is free now, for who must name it before anybody listens there. It is none of those that outgoing
    /// connections are given, so no other takes it meanwhile.
    public static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // somebody listens there
            }
        }
    }
}
