package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
        var made = app().post("/v1/organizations/default/api-keys", app().admin(), """
                {"name": "to be revoked", "scopes": ["admin"]}""")
                .json();
        Numbered.all(app().database());
        try (var stream =
                stream(OWN + "?after=latest&types=api_key.*", made.get("key").stringValue())) {
            String id = made.get("id").stringValue();
            app().send("DELETE", "/v1/organizations/default/api-keys/" + id, app().admin(), null);

            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void aCursorThatIsNoneIsRefusedBeforeTheStreamBegins() {
        var request =
                app().request("GET", OWN + "?after=AAAA", app().admin(), null).header("Accept", "text/event-stream");

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

    private static int running(TestApp node) {
        return node.get("/metrics", null)
                .text()
                .lines()
                .filter(line -> line.startsWith("sheaf_http_requests_running "))
                .mapToInt(line -> (int) Double.parseDouble(line.split(" ")[1]))
                .sum();
    }
}
