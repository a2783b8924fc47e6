package dev.sheaf.server.http.server;

import dev.sheaf.server.http.wire.Http10Writer;
import dev.sheaf.server.http.wire.Http1Bytes;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.net.InetSocketAddress;

/// Creates HTTP/1 connections of the HTTP library, which reads through [Http1Bytes].
///
/// @param to the library's factory of connections
record Http1Wire(Http1ConnectionSelector to, Connections connections) implements Listener.Speech {
    @Override
    public WireConnection on(WireSocket socket, Listener listener) {
        var bytes = new Http1Bytes(socket::next, local(socket));
        connections.speaks(socket.remotePeer().address(), bytes);
        var context = new WireContext(
                socket,
                listener,
                DataReader.create(bytes::get),
                new Http10Writer(socket.writer(), bytes::isOld),
                listener.executor());
        return new WireConnection(to.connection(context), socket::close);
    }

    private static String local(WireSocket socket) {
        return socket.localPeer().address() instanceof InetSocketAddress address
                ? Site.host(address.getAddress().getHostAddress().split("%", 2)[0]) + ":" + address.getPort()
                : "localhost";
    }
}
