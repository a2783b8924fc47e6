package dev.sheaf.server.http.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// The context of a connection for the HTTP library.
///
/// @param executor runs the streams of HTTP/2
record WireContext(
        WireSocket socket, Listener listener, DataReader dataReader, DataWriter dataWriter, ExecutorService executor)
        implements ConnectionContext {
    @Override
    public ListenerContext listenerContext() {
        return listener;
    }

    @Override
    public Router router() {
        return listener.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return Optional.empty();
    }

    @Override
    public HelidonSocket serverSocket() {
        return socket;
    }

    @Override
    public PeerInfo remotePeer() {
        return socket.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return socket.localPeer();
    }

    @Override
    public boolean isSecure() {
        return socket.isSecure();
    }

    @Override
    public String socketId() {
        return socket.socketId();
    }

    @Override
    public String childSocketId() {
        return socket.childSocketId();
    }
}
