package dev.sheaf.client.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Checks whether a port expects TLS. Sends only the beginning of a handshake.
final class TlsProbe {
    private static final int PATIENCE_MILLIS = 3_000;

    private TlsProbe() {}

    static boolean speaksTls(URI uri) {
        int port = uri.getPort() < 0 ? 80 : uri.getPort();
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (var tls = (SSLSocket) factory.createSocket(socket, host, port, true)) {
                tls.startHandshake();
                return true;
            }
        } catch (SSLHandshakeException e) {
            return !(e.getCause() instanceof EOFException); // for example an untrusted certificate
        } catch (IOException e) {
            return false;
        }
    }
}
