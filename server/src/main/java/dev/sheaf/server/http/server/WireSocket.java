package dev.sheaf.server.http.server;

import dev.sheaf.server.cpu.HandOver;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriter;
import io.helidon.webserver.ServerConnectionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// The bytes of a connection. Holds no buffer, unlike the library's own sockets with 8 KiB each. Readers choose
/// the size of the buffer, and an idle connection waits with a small one.
final class WireSocket implements HelidonSocket {
    private static final int PIECE = 8 << 10;
    private static final String ID = "http";

    private final SocketChannel channel;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final PeerInfo remote;
    private final PeerInfo local;

    /// @param socket the channel's own, or TLS over it
    WireSocket(SocketChannel channel, Socket socket) throws IOException {
        this.channel = channel;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.remote = new Peer(channel.getRemoteAddress());
        this.local = new Peer(channel.getLocalAddress());
    }

    /// One end of a connection. Client certificates are not requested.
    private record Peer(SocketAddress address) implements PeerInfo {
        @Override
        public String host() {
            return ((InetSocketAddress) address).getHostString();
        }

        @Override
        public int port() {
            return ((InetSocketAddress) address).getPort();
        }

        @Override
        public Optional<Principal> tlsPrincipal() {
            return Optional.empty();
        }

        @Override
        public Optional<Certificate[]> tlsCertificates() {
            return Optional.empty();
        }
    }

    /// Returns the next bytes, at least one; null at the end.
    ///
    /// @param most the limit of bytes
    byte @Nullable [] next(int most) {
        HandOver.giveWay();
        try {
            var bytes = new byte[most];
            int count = in.read(bytes);
            if (count < 0) {
                return null;
            }
            return count == most ? bytes : Arrays.copyOf(bytes, count);
        } catch (IOException e) {
            throw new ServerConnectionException("cannot read from the connection", new UncheckedIOException(e));
        }
    }

    @Override
    public byte @Nullable [] get() {
        return next(PIECE);
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal") // required by the interface
    public int read(BufferData buffer) {
        return buffer.readFrom(in);
    }

    @Override
    public void write(BufferData buffer) {
        buffer.writeTo(out);
    }

    /// Never used: [Http1Wire] and [Http2Wire] read from the socket themselves.
    DataReader reader() {
        return DataReader.create(this);
    }

    DataWriter writer() {
        return SocketWriter.create(this);
    }

    @Override
    public void close() {
        try (channel) {
            socket.shutdownOutput(); // otherwise the other side may lose the last bytes
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void idle() {
        // never called
    }

    @Override
    public boolean isConnected() {
        return channel.isOpen();
    }

    @Override
    public boolean protocolNegotiated() {
        return socket instanceof SSLSocket tls
                && tls.getApplicationProtocol() instanceof String protocol
                && !protocol.isEmpty();
    }

    @Override
    public String protocol() {
        return socket instanceof SSLSocket tls ? tls.getApplicationProtocol() : "";
    }

    @Override
    public PeerInfo remotePeer() {
        return remote;
    }

    @Override
    public PeerInfo localPeer() {
        return local;
    }

    @Override
    public boolean isSecure() {
        return socket instanceof SSLSocket;
    }

    @Override
    public String socketId() {
        return ID;
    }

    @Override
    public String childSocketId() {
        return Integer.toHexString(System.identityHashCode(channel));
    }
}
