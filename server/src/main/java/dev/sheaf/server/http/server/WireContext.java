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

/// A connection whose bytes, and whose threads, go through our hands.
record WireContext(ConnectionContext to, DataReader dataReader, DataWriter dataWriter, ExecutorService executor)
        implements ConnectionContext {
    @Override
    public ListenerContext listenerContext() {
        return to.listenerContext();
    }

    @Override
    public Router router() {
        return to.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return to.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return to.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return to.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return to.localPeer();
    }

    @Override
    public boolean isSecure() {
        return to.isSecure();
    }

    @Override
    public String socketId() {
        return to.socketId();
    }

    @Override
    public String childSocketId() {
        return to.childSocketId();
    }
}
