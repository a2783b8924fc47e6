package dev.sheaf.server;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/// Reports to systemd that the server is up or stops (sd_notify), if systemd started it with `Type=notify`. Java has no
/// Unix datagram sockets, so the program `systemd-notify` sends the message, and the unit needs
/// `NotifyAccess=all`.
final class ServiceManager {
    private ServiceManager() {}

    static void ready() {
        tell("READY=1");
    }

    static void stopping() {
        tell("STOPPING=1");
    }

    /// Returns at once. A failure is reported and changes nothing else.
    private static void tell(String state) {
        if (System.getenv("NOTIFY_SOCKET") == null) {
            return;
        }
        try {
            new ProcessBuilder("systemd-notify", state)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            System.err.println("sheaf: NOTIFY_SOCKET is set, but systemd was not notified of " + state
                    + ", because systemd-notify cannot be run (" + e.getMessage()
                    + "); install it, or use Type=exec in the unit");
        }
    }
}
