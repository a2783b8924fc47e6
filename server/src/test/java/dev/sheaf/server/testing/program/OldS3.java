package dev.sheaf.server.testing.program;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// A front of an S3 server that refuses requests with checksums, as Ceph RGW 16 does, or breaks the connections
/// of the first ones. One request a connection.
public final class OldS3 implements AutoCloseable {
    private static final String REFUSAL = """
            <?xml version="1.0" encoding="UTF-8"?><Error><Code>XAmzContentSHA256Mismatch</Code></Error>""";

    private final URI target;
    private final ServerSocket server;
    private final AtomicInteger refused = new AtomicInteger();
    private final int breaks;

    public OldS3(URI target) throws IOException {
        this(target, 0);
    }

    /// @param breaks how many requests with checksums get no answer; those after them are served. 0: all are
    ///     refused
    public OldS3(URI target, int breaks) throws IOException {
        this.target = target;
        this.breaks = breaks;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /// How many requests were refused.
    public int refused() {
        return refused.get();
    }

    private void accept() {
        try {
            while (true) {
                var near = server.accept();
                Thread.ofVirtual().start(() -> serve(near));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket near) {
        try (near) {
            String head = head(near.getInputStream());
            boolean summed = head.toLowerCase(Locale.ROOT).matches("(?s).*\r\nx-amz-(sdk-checksum|checksum|trailer).*");
            if (summed && (breaks == 0 || refused.get() < breaks)) {
                refused.incrementAndGet();
                if (breaks == 0) {
                    answer(near);
                }
            } else {
                pass(near, head);
            }
        } catch (IOException e) {
            // one side is gone
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no whole request");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /// Takes what is still sent, so that the client reads the answer and not that the connection is gone.
    private static void answer(Socket near) throws IOException {
        String answer = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/xml\r\nConnection: close\r\n"
                + "Content-Length: " + REFUSAL.length() + "\r\n\r\n" + REFUSAL;
        near.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        near.shutdownOutput();
        near.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    }

    private void pass(Socket near, String head) throws IOException {
        try (var far = new Socket(target.getHost(), target.getPort())) {
            String last = head.replaceFirst("\r\n", "\r\nConnection: close\r\n");
            far.getOutputStream().write(last.getBytes(StandardCharsets.ISO_8859_1));
            Thread.ofVirtual().start(() -> {
                try {
                    near.getInputStream().transferTo(far.getOutputStream());
                } catch (IOException e) {
                    // answered before all was sent
                }
            });
            far.getInputStream().transferTo(near.getOutputStream());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
