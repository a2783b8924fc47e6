package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.SelfSigned;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Content that cannot be read any more when its answer is sent.
@Timeout(60)
@SuppressWarnings("NullAway.Init") // set by JUnit
class UnreadableContentTest {
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private static final int LONG = 100_000;
    private static final Answer.Steps BROKEN = new Answer.Steps() {
        @Override
        public void await() {}

        @Override
        public void close() {}

        @Override
        public boolean writeTo(OutputStream out) {
            throw new Problem.Unavailable("the database is too busy; try again", 5).raise();
        }
    };

    @TempDir
    private Path folder;

    private final CountDownLatch broken = new CountDownLatch(1);
    private final AtomicInteger undone = new AtomicInteger();
    private TinyServer server;
    private SelfSigned own;
    private TinyServer encrypted;

    @BeforeEach
    void open() throws Exception {
        server = new TinyServer(Files.createDirectory(folder.resolve("plain")), 1 << 20, routes());
        own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        encrypted = new TinyServer(
                Files.createDirectory(folder.resolve("tls")),
                1 << 20,
                HttpServer.Times.USUAL,
                new TinyServer.Protocols(Optional.of(certificates), true),
                routes());
    }

    @AfterEach
    void close() {
        server.close();
        encrypted.close();
    }

    private List<Route> routes() {
        return List.of(
                route("/short", content(100, 50)),
                route("/long", content(LONG, 0)),
                route("/buffered", content(LONG, 5_000)),
                route("/begun", content(LONG, 50_000)),
                route("/packed", content(2_000, 100).packed()),
                route("/stream", Answer.stream("text/plain", out -> fail())),
                route("/refused", Answer.content(200, "text/plain", LONG, out -> {
                    throw new Problem.Unavailable("the blob store failed; try again", 5).raise();
                })),
                route("/closed", Answer.content(200, "text/plain", LONG, out -> {
                    throw new IOException(
                            "the bucket", new Problem.Unavailable("the blob store failed; try again", 5).raise());
                })),
                route("/missing", Answer.content(200, "text/plain", LONG, out -> out.write(new byte[10]))),
                route("/cut", Answer.content(200, "text/plain", LONG, out -> out.write(new byte[LONG / 2]))),
                route("/broken", Answer.content(200, "text/plain", LONG, out -> {
                    throw new StackOverflowError();
                })),
                route("/counted", content(100, 100).sending(() -> {
                    throw new Problem.Unavailable("the database is too busy; try again", 5).raise();
                })),
                route("/live", Answer.live("text/event-stream", BROKEN)),
                new Route(RouteMethod.GET, "/handler", RoutePermission.NONE, call -> {
                    throw new UncheckedIOException(new EOFException("its disk"));
                }),
                new Route(RouteMethod.GET, "/whole", RoutePermission.NONE, call -> content(LONG, LONG)),
                new Route(RouteMethod.POST, "/body", RoutePermission.NONE, call -> {
                    try {
                        return Answer.ok(call.bytes("the body", 1_000).length);
                    } catch (UncheckedIOException e) {
                        broken.countDown();
                        throw e;
                    }
                }));
    }

    private Route route(String path, Answer answer) {
        return new Route(
                RouteMethod.GET,
                path,
                RoutePermission.NONE,
                call -> answer.with("ETag", "\"x\"")
                        .with("Cache-Control", "public, max-age=3600")
                        .undoneBy(undone::incrementAndGet));
    }

    private static void fail() throws IOException {
        throw new EOFException("the bucket does not return the object");
    }

    private static Answer content(int length, int readable) {
        return Answer.content(200, "application/octet-stream", length, out -> {
            out.write(new byte[readable]);
            if (readable < length) {
                fail();
            }
        });
    }

    private static void assertRefused(HttpResponse<String> reply) {
        assertThat(reply.statusCode()).isEqualTo(503);
        assertThat(reply.headers().firstValue("Retry-After")).contains("5");
        assertThat(reply.headers().firstValue("ETag").orElse("")).isNotEqualTo("\"x\"");
        assertThat(reply.headers().firstValue("Cache-Control").orElse("")).doesNotContain("public");
        assertThat(Json.read(reply.body().getBytes(StandardCharsets.UTF_8))
                        .get("code")
                        .stringValue())
                .isEqualTo("service-unavailable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "short",
                "long",
                "buffered",
                "packed",
                "stream",
                "refused",
                "closed",
                "counted",
                "live",
                "handler"
            })
    void isRefusedIfNothingOfItWasSent(String path) throws Exception {
        assertRefused(server.send(server.request("/" + path).header("Accept-Encoding", "gzip")));

        assertThat(server.get("/whole").body()).as("the server goes on").hasSize(LONG);
        assertThat(undone).hasValue(path.equals("handler") ? 0 : 1);
    }

    /// A store that does not answer logs that once. Otherwise anybody could fill the log meanwhile.
    @Test
    void aRefusalOfTheStoreIsNoFailureOfEachRequest() throws Exception {
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        ROOT.addAppender(log);
        try {
            assertRefused(server.send(server.request("/closed")));
            assertRefused(server.send(server.request("/long")));
        } finally {
            ROOT.detachAppender(log);
        }

        assertThat(log.list)
                .filteredOn(line -> line.getLevel() == Level.ERROR)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("GET /long"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "long", "refused", "handler"})
    void isRefusedOverHttp2AsWell(String path) throws Exception {
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(own.trusting())
                .build()) {
            var uri = URI.create("https://127.0.0.1:" + encrypted.port() + "/" + path);

            var reply = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

            assertThat(reply.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertRefused(reply);
        }
    }

    @Test
    void theConnectionIsKept() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            for (int i = 0; i < 2; i++) {
                socket.getOutputStream()
                        .write("GET /long HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                var reply = new StringBuilder();
                while (reply.indexOf("}") < 0) {
                    int next = socket.getInputStream().read();
                    assertThat(next).as("%s", reply).isNotNegative();
                    reply.append((char) next);
                }
                assertThat(reply).startsWith("HTTP/1.1 503 ");
            }
        }
    }

    /// The client would wait for the rest, or take the next answer for it.
    @ParameterizedTest
    @ValueSource(strings = {"begun", "cut"})
    void breaksTheConnectionIfAPartWasSent(String path) {
        assertThatThrownBy(() -> server.get("/" + path)).isInstanceOf(IOException.class);

        assertThat(undone).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "broken"})
    void aFaultOfTheProgramIsAnsweredWithoutTheHeadersOfTheContent(String path) throws Exception {
        var reply = server.get("/" + path);

        assertThat(reply.statusCode()).isEqualTo(500);
        assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(reply.headers().firstValue("ETag")).isEmpty();
        assertThat(reply.headers().firstValue("Cache-Control").orElse("")).doesNotContain("public");
        assertThat(undone).hasValue(1);
    }

    @Test
    void aBodyThatEndsEarlyGetsNoAnswer() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
        assertThat(broken.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
