package dev.sheaf.client.testing;

import dev.sheaf.client.api.RegistryUrl;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Answers each connection with the bytes that a test chooses, after the head of one request.
public final class RawServer implements AutoCloseable {
    public interface Answer {
        void to(OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger connections = new AtomicInteger();
    private final Answer answer;

    private RawServer(ServerSocket socket, Answer answer) {
        this.socket = socket;
        this.answer = answer;
    }

    public static RawServer start(Answer answer) {
        try {
            var server = new RawServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answer);
            server.threads.execute(server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RegistryUrl url() {
        return RegistryUrl.parse("http://127.0.0.1:" + socket.getLocalPort());
    }

    /// Returns the number of connections so far.
    public int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                var client = socket.accept();
                connections.incrementAndGet();
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket client) {
        try (client) {
            var in = client.getInputStream();
            for (int last = 0, ends = 0; last >= 0 && ends < 2; ) {
                last = in.read();
                ends = last == '\n' ? ends + 1 : last == '\r' ? ends : 0;
            }
            answer.to(client.getOutputStream());
        } catch (IOException e) {
            // the client disconnected
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
