package dev.sheaf.client.http;

import dev.sheaf.client.api.SheafException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The head of a response and the stream of its body. A body that stalls or is very slow is cut off: reading
/// then fails as if the connection had broken. Closing it before the end closes the connection.
public final class HttpReply implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final WatchedStream body;

    /// @param watch cuts off a body that receives less than 1 KiB/s, after one to two times `silence`
    HttpReply(HttpResponse<InputStream> response, ScheduledExecutorService watch, Duration silence) {
        this.response = response;
        this.body = new WatchedStream(response.body(), watch, silence.toMillis());
    }

    public int status() {
        return response.statusCode();
    }

    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }

    public HttpHeaders headers() {
        return response.headers();
    }

    /// Returns the `Content-Length`; -1 if it is missing.
    public long contentLength() {
        return response.headers().firstValueAsLong("Content-Length").orElse(-1);
    }

    public InputStream body() {
        return body;
    }

    /// Reads the whole body.
    ///
    /// @throws SheafException.Server if it is longer than `limit` bytes
    public byte[] bytes(int limit) throws IOException {
        byte[] bytes = body.readNBytes(limit);
        if (bytes.length == limit && body.read() >= 0) {
            throw new SheafException.Server("the registry's answer is longer than the limit of " + limit + " bytes");
        }
        return bytes;
    }

    @Override
    public void close() {
        body.close();
    }

    /// A slower body does not come from a slow line, but from a server that wants to hold the connection.
    private static final long SLOWEST_BYTES_PER_SECOND = 1024;

    private static final class WatchedStream extends FilterInputStream {
        private final ScheduledFuture<?> watch;
        private final long fewest;
        private final AtomicLong moved;

        WatchedStream(InputStream in, ScheduledExecutorService scheduler, long period) {
            super(in);
            this.fewest = Math.max(1, period * SLOWEST_BYTES_PER_SECOND / 1000);
            this.moved = new AtomicLong(fewest);
            this.watch = scheduler.scheduleAtFixedRate(this::look, period, period, TimeUnit.MILLISECONDS);
        }

        private void look() {
            if (moved.getAndSet(0) < fewest) {
                close();
            }
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            moved.incrementAndGet();
            return b;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            moved.addAndGet(Math.max(0, count));
            return count;
        }

        @Override
        public void close() {
            watch.cancel(false);
            try {
                in.close();
            } catch (IOException e) {
                // the connection is not used again anyway
            }
        }
    }
}
