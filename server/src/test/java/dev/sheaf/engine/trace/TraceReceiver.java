package dev.sheaf.engine.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sheaf.server.testing.Eventually;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/// Receives traces as a collector does. It reads them with the classes that OpenTelemetry generates from its
/// protocol (`opentelemetry-proto`), which the server does not use.
final class TraceReceiver implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final HttpServer server;
    private final int status;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<Resource> resources = new CopyOnWriteArrayList<>();
    private final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();

    TraceReceiver() {
        this(200);
    }

    /// @param status that of every answer
    TraceReceiver(int status) {
        this.status = status;
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            var read = ExportTraceServiceRequest.parseFrom(new GZIPInputStream(exchange.getRequestBody()));
            headers.add(exchange.getRequestHeaders());
            read.getResourceSpansList().forEach(of -> {
                resources.add(of.getResource());
                of.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList()));
            });
            exchange.sendResponseHeaders(status, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return spans;
    }

    List<Map<String, List<String>>> headers() {
        return headers;
    }

    Map<String, String> resource() {
        return attributes(resources.getFirst().getAttributesList());
    }

    /// Waits for the span of a request, which arrives after those of its calls.
    Span request(String traceId) {
        Eventually.within(SOON, () -> spans.stream().anyMatch(span -> isRequest(span, traceId)));
        return spans.stream()
                .filter(span -> isRequest(span, traceId))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isRequest(Span span, String traceId) {
        return trace(span).equals(traceId) && span.getKind() == Span.SpanKind.SPAN_KIND_SERVER;
    }

    /// The spans directly below one.
    List<Span> below(Span parent) {
        return spans.stream()
                .filter(span -> span.getParentSpanId().equals(parent.getSpanId())
                        && span.getTraceId().equals(parent.getTraceId()))
                .toList();
    }

    static String trace(Span span) {
        return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    static String parent(Span span) {
        return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
    }

    static Map<String, String> attributes(Span span) {
        return attributes(span.getAttributesList());
    }

    private static Map<String, String> attributes(List<KeyValue> pairs) {
        return pairs.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        pair -> pair.getValue().hasIntValue()
                                ? Long.toString(pair.getValue().getIntValue())
                                : pair.getValue().getStringValue()));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
