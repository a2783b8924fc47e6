import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// Receivers of webhooks for bench/webhooks.py: `/ok/N` counts requests, `/error/N` answers 500, `/slow/N` does not answer
/// for a minute, `/redirect/N` redirects to `/ok/0`. `GET /counts` returns the number of events and of requests of each
/// `/ok/N`.
///
///     java bench/Receivers.java      prints the port
public class Receivers {
    private static final Map<String, Set<String>> SEEN = new ConcurrentHashMap<>();
    private static final Map<String, AtomicLong> ALL = new ConcurrentHashMap<>();

    public static void main(String[] args) throws IOException {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1000);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/ok/", Receivers::ok);
        server.createContext("/error/", exchange -> answer(exchange, 500));
        server.createContext("/redirect/", exchange -> {
            exchange.getResponseHeaders().add("Location", "/ok/0");
            answer(exchange, 302);
        });
        server.createContext("/slow/", exchange -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            answer(exchange, 204);
        });
        server.createContext("/counts", Receivers::counts);
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private static void ok(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        ALL.computeIfAbsent(path, each -> new AtomicLong()).incrementAndGet();
        SEEN.computeIfAbsent(path, each -> ConcurrentHashMap.newKeySet())
                .add(exchange.getRequestHeaders().getFirst("webhook-id"));
        answer(exchange, 204);
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static void counts(HttpExchange exchange) throws IOException {
        var text = new StringBuilder();
        new TreeMap<>(SEEN).forEach((path, ids) ->
                text.append(path).append(' ').append(ids.size()).append(' ').append(ALL.get(path)).append('\n'));
        byte[] bytes = text.toString().getBytes();
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
