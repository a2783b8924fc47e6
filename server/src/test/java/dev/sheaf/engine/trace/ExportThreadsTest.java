package dev.sheaf.engine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ExportThreadsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /// The limit of the library ends with the head of an answer.
    @Test
    void aCollectorThatNeverEndsItsAnswerKeepsNoPlace() throws Exception {
        var open = new CopyOnWriteArrayList<Socket>();
        try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> accept(socket, open));
            var queue = new SpanQueue(OtlpHttpSpanExporter.builder()
                    .setEndpoint("http://127.0.0.1:" + socket.getLocalPort() + "/v1/traces")
                    .setExecutorService(new ExportThreads(Duration.ofMillis(500)))
                    .build());
            try (var provider =
                    SdkTracerProvider.builder().addSpanProcessor(queue).build()) {
                provider.get("test").spanBuilder("a").startSpan().end();

                Eventually.within(SOON, () -> !open.isEmpty());
                Eventually.within(SOON, () -> queue.counts().values().stream().anyMatch(count -> count == 1));
            }
        } finally {
            for (var each : open) {
                each.close();
            }
        }
        assertThat(open).isNotEmpty();
    }

    private static void accept(ServerSocket socket, List<Socket> open) {
        try {
            while (true) {
                var client = socket.accept();
                open.add(client);
                client.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // the test ends
        }
    }
}
