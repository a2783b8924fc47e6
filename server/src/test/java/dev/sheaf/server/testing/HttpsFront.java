package dev.sheaf.server.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A node under [SelfSigned#NAME] with HTTPS, for programs that ask nobody else: they have a proxy (`HTTPS_PROXY`)
/// which takes them here whatever they name.
public final class HttpsFront implements AutoCloseable {
    private static final Set<String> LEFT_OUT = Set.of("content-length", "connection", "transfer-encoding");

    private final HttpClient client = HttpClient.newHttpClient();
    private final String node;
    private final HttpsServer server;
    private final ServerSocket proxy;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private HttpsFront(String node, HttpsServer server, ServerSocket proxy) {
        this.node = node;
        this.server = server;
        this.proxy = proxy;
    }

    /// @param node where requests go
    public static HttpsFront of(String node, SelfSigned own) throws IOException, GeneralSecurityException {
        var here = InetAddress.getLoopbackAddress();
        var server = HttpsServer.create(new InetSocketAddress(here, 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(own.showing()));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        var front = new HttpsFront(node, server, new ServerSocket(0, 50, here));
        server.createContext("/", front::answer);
        server.start();
        Thread.ofVirtual().start(front::tunnels);
        return front;
    }

    public String proxy() {
        return "http://127.0.0.1:" + proxy.getLocalPort();
    }

    /// The paths that were asked for, with a key behind those that came with a credential.
    public List<String> asked() {
        return List.copyOf(asked);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = exchange.getRequestHeaders();
            String path = exchange.getRequestURI().toString();
            asked.add(path + (headers.containsKey("Authorization") ? " key" : ""));
            var request = HttpRequest.newBuilder(URI.create(node + path));
            headers.getOrDefault("Authorization", List.of()).forEach(value -> request.header("Authorization", value));
            var answer = client.send(request.build(), BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (!LEFT_OUT.contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tunnels() {
        while (!proxy.isClosed()) {
            try {
                var socket = proxy.accept();
                Thread.ofVirtual().start(() -> tunnel(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void tunnel(Socket asker) {
        try (asker;
                var to = new Socket(
                        server.getAddress().getAddress(), server.getAddress().getPort())) {
            for (int seen = 0; seen < 4; ) { // to the empty line behind CONNECT
                int next = asker.getInputStream().read();
                seen = next == (seen % 2 == 0 ? '\r' : '\n') ? seen + 1 : 0;
                if (next < 0) {
                    return;
                }
            }
            asker.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes());
            Thread.ofVirtual().start(() -> pass(to, asker));
            pass(asker, to);
        } catch (IOException e) {
            // gone
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // gone
        }
    }

    /// Its certificate as a file.
    public static Path trusted(Path folder, SelfSigned own) throws IOException, GeneralSecurityException {
        return Files.writeString(folder.resolve("trusted.pem"), own.chain());
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        server.stop(0);
        client.close();
    }
}
