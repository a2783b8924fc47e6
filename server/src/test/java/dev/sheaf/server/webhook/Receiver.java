package dev.sheaf.server.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Somebody who is sent webhooks: keeps what comes, and answers as it is told. Thread-safe.
public final class Receiver implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final List<Received> received = new ArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private Answer usual = exchange -> respond(exchange, 204, "");

    /// What is done with a request.
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    /// @param nanos when it came, by the clock of this process
    /// @param headers by their names in lower case
    public record Received(long nanos, String path, Map<String, String> headers, byte[] body) {
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }

        public JsonNode json() {
            return JSON.readTree(body);
        }

        /// Such as `version.published acme/kit:1.0.0`.
        public String told() {
            var event = json();
            return event.get("type").stringValue() + " " + event.get("subject").stringValue();
        }
    }

    public Receiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::receive);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    private void receive(HttpExchange exchange) throws IOException {
        var headers = new TreeMap<String, String>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
        byte[] body = exchange.getRequestBody().readAllBytes();
        Answer answer;
        synchronized (this) {
            received.add(
                    new Received(System.nanoTime(), exchange.getRequestURI().toString(), headers, body));
            answer = answers.isEmpty() ? usual : answers.remove();
        }
        try (exchange) {
            answer.to(exchange);
        }
    }

    public static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /// Answers the next request so.
    public synchronized void next(Answer answer) {
        answers.add(answer);
    }

    /// Answers the next request with a status.
    public void next(int status) {
        next(exchange -> respond(exchange, status, "status " + status));
    }

    /// Answers every request so that nothing else was said of.
    public synchronized void always(int status) {
        usual = exchange -> respond(exchange, status, "");
    }

    public synchronized List<Received> received() {
        return List.copyOf(received);
    }

    public List<String> told() {
        return received().stream().map(Received::told).toList();
    }

    /// Waits until so many have come.
    public List<Received> await(int count) {
        Eventually.within(LONG, () -> received().size() >= count);
        return received();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
