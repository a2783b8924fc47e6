package dev.sheaf.server.http.server;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// The TLS handshake, in which clients may choose HTTP/2 (ALPN, RFC 7301).
///
/// @param http2 null if HTTP/2 is off
record TlsHandshake(SSLContext context, Listener.Speech http1, Listener.@Nullable Speech http2)
        implements Listener.Handshake {
    private static final String H2 = "h2";
    private static final String H1 = "http/1.1";

    @Override
    public WireConnection shake(SocketChannel channel, Listener listener) throws IOException {
        var tls = (SSLSocket) context.getSocketFactory().createSocket(channel.socket(), null, false);
        tls.setHandshakeApplicationProtocolSelector((socket, offered) -> chosen(offered));
        tls.startHandshake();
        var socket = new WireSocket(channel, tls);
        var speech = http2 != null && socket.protocol().equals(H2) ? http2 : http1;
        return speech.on(socket, listener);
    }

    /// Returns the chosen protocol; null ends the handshake.
    private @Nullable String chosen(List<String> offered) {
        for (String protocol : offered) {
            if (protocol.equals(H1) || protocol.equals(H2) && http2 != null) {
                return protocol;
            }
        }
        return null;
    }
}
