package dev.sheaf.server.db.beat;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/// Makes the sockets of connections that listen. The driver collects all notifications that have arrived, and any role
/// of the database can send a gigabyte of them in one transaction. So a connection that receives far more than nodes
/// send breaks. PostgreSQL then forgets the rest, and the node reads from the table what it missed.
///
/// Public with a public constructor, because the driver creates it by its name.
public final class BoundedSockets extends SocketFactory {
    /// The bytes that may arrive at once. They take up to ten times as much memory.
    static final long AT_ONCE = 8 << 20;

    /// The further bytes that may arrive in a second: more than a hundred busy nodes send.
    static final long EACH_SECOND = 4 << 20;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Override
    public Socket createSocket() {
        return new Bounded();
    }

    private static final class Bounded extends Socket {
        private @Nullable InputStream in;

        @Override
        public synchronized InputStream getInputStream() throws IOException {
            if (in == null) {
                in = new Stream(super.getInputStream(), System::nanoTime);
            }
            return in;
        }
    }

    /// Breaks if too much arrives. Not thread-safe.
    static final class Stream extends FilterInputStream {
        private final LongSupplier nanos;
        private long room = AT_ONCE;
        private long at;

        Stream(InputStream in, LongSupplier nanos) {
            super(in);
            this.nanos = nanos;
            this.at = nanos.getAsLong();
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int bytes) throws IOException {
            long now = nanos.getAsLong();
            long passed = Math.min(now - at, AT_ONCE / EACH_SECOND * SECOND);
            room = Math.min(AT_ONCE, room + passed * EACH_SECOND / SECOND) - bytes;
            at = now;
            if (room < 0) {
                throw new IOException("far more notifications (NOTIFY) arrive than nodes send");
            }
        }
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw unused();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw unused();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw unused();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("the driver connects its sockets itself");
    }
}
