package dev.sheaf.server.event;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams of events: what comes on them, where they go on, and when they end.
@Timeout(120)
class EventStreamTest extends OnEveryStack {
    private static final String OWN = "/v1/organizations/default/events";

    private EventReader stream(String path, @Nullable String key) throws Exception {
        return new EventReader(app().request("GET", path, key, null));
    }

    @Test
    void eventsComeAsTheyHappenAndAStreamGoesOnWhereItBroke() throws Exception {
        String last;
        try (var stream = stream(OWN + "?after=latest&subject=flow/*", app().admin())) {
            app().push("flow/kit", "1.0.0", "private", "# Kit");
            assertThat(Objects.requireNonNull(stream.next()).subject()).isEqualTo("flow/kit");
            var second = Objects.requireNonNull(stream.next());
            assertThat(second.subject()).isEqualTo("flow/kit:1.0.0");
            assertThat(second.type()).isEqualTo("version.published");
            assertThat(second.data().get("specversion").stringValue()).isEqualTo("1.0");
            last = second.id();
        }
        app().push("flow/kit", "1.1.0", "private", "# Kit 2");

        var again = app().request("GET", OWN + "?after=latest&subject=flow/*", app().admin(), null)
                .header("Last-Event-ID", last);
        try (var stream = new EventReader(again)) {
            assertThat(Objects.requireNonNull(stream.next()).subject()).isEqualTo("flow/kit:1.1.0");
        }
    }

    /// Or whoever has a key for one bundle would count what happens to the others.
    @Test
    void whatIsForOthersIsNotToldByAWordEither() throws Exception {
        String narrow = app().secret("""
                {"name": "counts others", "scopes": ["read"], "restrictions": {"bundles": ["quiet/mine"]}}""");
        app().push("quiet/mine", "1.0.0", "private", "# Mine");
        Numbered.all(app().database());
        try (var stream = stream(OWN + "?after=latest", narrow);
                var all = stream(OWN + "?after=latest", app().admin())) {
            for (int i = 0; i < 5; i++) {
                app().push("quiet/others", "1." + i + ".0", "private", "# Others " + i);
                assertThat(all.next()).isNotNull();
                Numbered.all(app().database());
            }
            app().push("quiet/mine", "1.1.0", "private", "# Mine 2");

            assertThat(Objects.requireNonNull(stream.next()).subject()).isEqualTo("quiet/mine:1.1.0");
            assertThat(stream.ids()).isOne();
        }
        assertThat(end(narrow)).isNotEqualTo(end(narrow));
        assertThat(end(app().admin())).isEqualTo(end(app().admin()));
    }

    private String end(String key) {
        return app().get(OWN + "?after=latest", key).nextCursor();
    }

    @Test
    void theHubsStreamIsForAnybody() throws Exception {
        try (var stream = stream("/v1/hub/events?after=latest&subject=crowd/*", null)) {
            app().push("crowd/kit", "1.0.0", "public", "# Kit");

            assertThat(Objects.requireNonNull(stream.next()).type()).isEqualTo("version.published");
            assertThat(Objects.requireNonNull(stream.next()).type()).isEqualTo("bundle.listed");
        }
    }

    @Test
    void aStreamEndsWithItsKeyAndTellsNothingAfterwards() throws Exception {
        var made = app().newKey("""
                {"name": "to be revoked", "scopes": ["admin"]}""");
        Numbered.all(app().database());
        String key = requireNonNull(made.key());
        try (var stream = stream(OWN + "?after=latest&types=api_key.*", key)) {
            var id = made.id();
            app().send("DELETE", "/v1/organizations/default/api-keys/" + id, app().admin(), null);

            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void aPollWhoseKeyIsRevokedMeanwhileIsToldNothing() throws Exception {
        var made = app().newKey("{\"name\": \"polls\", \"scopes\": [\"admin\"]}");
        Numbered.all(app().database());
        int before = running(app());
        var poll = CompletableFuture.supplyAsync(() -> app().get(OWN + "?after=latest&wait=30", made.key()));
        Eventually.within(Duration.ofSeconds(60), () -> running(app()) > before);

        var id = made.id();
        app().send("DELETE", "/v1/organizations/default/api-keys/" + id, app().admin(), null);

        assertThat(poll.get().status()).isEqualTo(401);
        assertThat(poll.get().text()).doesNotContain("api_key.revoked");
    }

    /// After it went on elsewhere, the connection is one as before.
    @Test
    void aConnectionServesOnAfterAPollThatWaited() throws Exception {
        String host = app().host();
        int port = Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String head = " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + app().admin() + "\r\n";
            String poll = "GET " + OWN + "?after=latest&wait=1" + head + "\r\n";
            String last = "GET /health/live" + head + "Connection: close\r\n\r\n";
            socket.getOutputStream().write((poll + poll + last).getBytes(StandardCharsets.US_ASCII));

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answers.split("HTTP/1.1 200", -1)).as(answers).hasSize(4);
        }
    }

    @Test
    void whoWaitsAsksTheDatabaseNothing() {
        assumeTrue(stack() != Stack.SQLITE, "statements are seen on PostgreSQL only");
        Numbered.all(app().database());
        String path = OWN + "?after=latest&subject=silence/*&wait=3";
        app().get(path, app().admin()); // so that all that is kept in memory is there
        int before = running(app());
        var polls = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> app().get(path, app().admin()),
                        task -> Thread.ofVirtual().start(task)))
                .limit(20)
                .toList();
        Eventually.within(Duration.ofSeconds(60), () -> running(app()) >= before + 20);

        var asked = new Statements(app().database()).of(() -> polls.forEach(CompletableFuture::join));

        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AAAA", "..", "latest2", "\u0101", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void aCursorThatIsNoneIsRefusedBeforeTheStreamBegins(String cursor) {
        var request = app().request("GET", OWN, app().admin(), null)
                .header("Accept", "text/event-stream")
                .header(
                        "Last-Event-ID",
                        new String(cursor.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));

        assertThat(app().send(request).status()).isEqualTo(400);
    }

    @Test
    void whoWaitsDoesNotHoldUpANodeThatStops(@TempDir Path folder) throws Exception {
        var node = TestApp.start(stack(), folder);
        var poll = CompletableFuture.supplyAsync(() -> node.get(OWN + "?after=latest&wait=30", node.admin()));
        try (var stream = new EventReader(node.request("GET", OWN + "?after=latest", node.admin(), null))) {
            Eventually.within(Duration.ofSeconds(60), () -> running(node) == 3); // both, and the one that asks

            assertThat(node.stop(Duration.ofSeconds(20)))
                    .as("requests that were cut off, which a poll of half a minute would be")
                    .isZero();
            assertThat(stream.next()).isNull();
            assertThat(poll.get().status()).isEqualTo(200);
        }
    }

    @Test
    void oneOrganizationCannotTakeAllRoom(@TempDir Path folder) throws Exception {
        var settings = Map.of("max-followers", "5");
        try (var node = TestApp.start(folder, InstantSource.system(), settings);
                var streams = new Closing()) {
            for (int i = 0; i < 4; i++) {
                streams.add(new EventReader(node.request("GET", OWN + "?after=latest", node.admin(), null)));
            }
            for (String key : List.of(node.admin(), node.key("another", "read"))) {
                var refused = node.get(OWN + "?after=latest&wait=30", key);
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.header("Retry-After")).isEqualTo("15");
                assertThat(refused.problem().type()).endsWith("/rate-limited");
                assertThat(refused.json().get("throttle").stringValue()).isEqualTo("connections");
            }

            assertThat(node.get(OWN + "?after=latest", node.admin()).status()).isEqualTo(200);
            streams.add(new EventReader(node.request("GET", "/v1/hub/events?after=latest", null, null)));
            var full = node.get("/v1/hub/events?wait=30", node.key("third", "read"));
            assertThat(full.status()).as("its organization has four").isEqualTo(429);
        }
    }

    /// A head that never ends is none to anybody who counts who waits; when such a connection ends, SlowBeginningsTest
    /// tells.
    @Test
    void whoNeverEndsTheRequestTakesNoRoom(@TempDir Path folder) throws Exception {
        var sockets = new ArrayList<Socket>();
        try (var node = TestApp.start(folder, InstantSource.system(), Map.of("max-followers", "5"));
                var streams = new Closing()) {
            String host = node.host();
            String head = "GET " + OWN + "?after=latest HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer "
                    + node.admin() + "\r\nAccept: text/event-stream\r\nX-Slow: ";
            for (int i = 0; i < 10; i++) {
                var socket = new Socket(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(host.substring(host.lastIndexOf(':') + 1)));
                sockets.add(socket);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            }

            for (int i = 0; i < 4; i++) {
                streams.add(new EventReader(node.request("GET", OWN + "?after=latest", node.admin(), null)));
            }
            for (var socket : sockets) {
                socket.getOutputStream().write('a'); // which is no end either
            }
            assertThat(node.get(OWN + "?after=latest&wait=30", node.admin()).status())
                    .as("the four have all that one may have")
                    .isEqualTo(429);
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    private static final class Closing implements AutoCloseable {
        private final List<EventReader> all = new ArrayList<>();

        void add(EventReader one) {
            all.add(one);
        }

        @Override
        public void close() throws IOException {
            for (var one : all) {
                one.close();
            }
        }
    }

    private static int running(TestApp node) {
        return node.get("/metrics", null)
                .text()
                .lines()
                .filter(line -> line.startsWith("sheaf_http_requests_running "))
                .mapToInt(line -> (int) Double.parseDouble(line.split(" ")[1]))
                .sum();
    }
}
