package dev.sheaf.server.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Connections of HTTP/1: those of the HTTP library, behind [Http1Bytes].
///
/// @param to the library's own
record Http1Wire(Http1ConnectionSelector to, Connections connections) implements ServerConnectionSelector {
    private static final byte[] HTTP2 = {'P', 'R', 'I', ' '};

    @Override
    public int bytesToIdentifyConnection() {
        return 0;
    }

    /// All but what begins as HTTP/2 does.
    @Override
    public Support supports(BufferData begin) {
        for (byte expected : HTTP2) {
            if (begin.available() == 0) {
                return Support.UNKNOWN;
            }
            if (begin.read() != expected) {
                return Support.SUPPORTED;
            }
        }
        return Support.UNSUPPORTED;
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return to.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var reader = context.dataReader();
        var bytes = new Http1Bytes(() -> pulled(reader), local(context));
        connections.speaks(context.remotePeer().address(), bytes);
        var wire = new WireContext(
                context,
                DataReader.create(bytes::get),
                new Http10Writer(context.dataWriter(), bytes::isOld),
                context.executor());
        return new WireConnection(
                to.connection(wire), () -> connections.over(context.remotePeer().address()));
    }

    /// What comes next; null at the end.
    static byte @Nullable [] pulled(DataReader reader) {
        try {
            reader.ensureAvailable();
        } catch (DataReader.InsufficientDataAvailableException e) {
            return null;
        }
        return reader.readBytes(reader.available());
    }

    private static String local(ConnectionContext context) {
        return context.localPeer().address() instanceof InetSocketAddress address
                ? Site.host(address.getAddress().getHostAddress().split("%", 2)[0]) + ":" + address.getPort()
                : "localhost";
    }
}
