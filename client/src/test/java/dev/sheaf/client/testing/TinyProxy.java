package dev.sheaf.client.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A proxy on a free loopback port, for tunnels and for plain requests. Forwards every host to the same port of
/// this machine. Records the requests.
public final class TinyProxy implements AutoCloseable {
    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Told> told = new CopyOnWriteArrayList<>();
    private final @Nullable String login;

    /// A request. Header names are in lower case.
    public record Told(String line, Map<String, String> headers) {}

    private TinyProxy(ServerSocket socket, @Nullable String login) {
        this.socket = socket;
        this.login = login;
    }

    /// @param login the required `Proxy-Authorization`; null: none
    public static TinyProxy start(@Nullable String login) {
        try {
            var proxy = new TinyProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), login);
            proxy.threads.execute(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    public List<Told> told() {
        return List.copyOf(told);
    }

    private void accept() {
        try {
            while (true) {
                var from = socket.accept();
                threads.execute(() -> serve(from));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket from) {
        try (from) {
            var in = from.getInputStream();
            String line = line(in);
            var headers = new TreeMap<String, String>();
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                int colon = header.indexOf(':');
                headers.put(
                        header.substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                        header.substring(colon + 1).strip());
            }
            told.add(new Told(line, headers));
            if (login != null && !login.equals(headers.get("proxy-authorization"))) {
                say(
                        from.getOutputStream(),
                        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"tiny\"\r\nContent-Length: 0\r\n\r\n");
                return;
            }
            String target = line.split(" ")[1];
            if (line.startsWith("CONNECT ")) {
                tunnel(from, Integer.parseInt(target.substring(target.lastIndexOf(':') + 1)));
            } else {
                forward(from, line, headers);
            }
        } catch (IOException e) {
            // the other side disconnected
        }
    }

    private void tunnel(Socket from, int port) throws IOException {
        try (var to = new Socket(InetAddress.getLoopbackAddress(), port)) {
            say(from.getOutputStream(), "HTTP/1.1 200 Yes\r\n\r\n");
            copyBothWays(from, to);
        }
    }

    /// Forwards one request. It asks the other side to close the connection, so that no further request follows.
    private void forward(Socket from, String line, Map<String, String> headers) throws IOException {
        String[] parts = line.split(" ");
        var uri = java.net.URI.create(parts[1]);
        try (var to = new Socket(InetAddress.getLoopbackAddress(), uri.getPort())) {
            var head = new StringBuilder(parts[0] + " " + uri.getRawPath()
                    + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()) + " HTTP/1.1\r\n");
            headers.forEach((name, value) -> {
                if (!name.startsWith("proxy-") && !name.equals("connection")) {
                    head.append(name).append(": ").append(value).append("\r\n");
                }
            });
            say(to.getOutputStream(), head + "connection: close\r\n\r\n");
            copyBothWays(from, to);
        }
    }

    private void copyBothWays(Socket from, Socket to) throws IOException {
        threads.execute(() -> {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // one side disconnected
            }
        });
        to.getInputStream().transferTo(from.getOutputStream());
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
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
