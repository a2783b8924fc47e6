package dev.sheaf.server.event;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A reader whose right ends between the look at it and that at the events, here since there is no connection to the
/// database meanwhile.
@Timeout(300)
class HeldReaderTest extends OnEveryStack {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OWN = "/v1/organizations/default/events";

    @Test
    void waitingReaderWhoLosesAccessGetsNoLaterEvents(@TempDir Path folder) throws Exception {
        assumeTrue(stack() == Stack.POSTGRES_AND_BUCKET, "takes a second node of the same storage");
        try (var other = app().another(folder)) {
            Reply answer;
            int round = 0;
            do {
                round++;
                answer = held(other, "1.0." + round);
            } while (isHeldTooLong(answer));

            assertThat(answer.status()).as(answer.text()).isEqualTo(401);
            assertThat(answer.text()).doesNotContain("held/kit").doesNotContain("api_key.revoked");
        }
    }

    /// On a busy machine the reader waits too long for a connection, or its read fails and nobody wakes it again: then
    /// it
    /// was shown nothing at all.
    private static boolean isHeldTooLong(Reply answer) {
        return answer.status() == 503 || answer.status() == 200 && answer.text().contains("\"data\":[]");
    }

    /// Returns the answer to a reader whose key the other node revokes while it waits for a connection.
    private Reply held(TestApp other, String version) throws Exception {
        var key = app().newKey("""
                {"name": "held", "scopes": ["admin"]}""");
        Numbered.all(app().database());
        String credential = requireNonNull(key.key());
        String cursor = app().get(OWN + "?after=latest", credential).nextCursor();
        var told = new CountDownLatch(1);
        app().database().onChange(change -> {
            if (change.kind() == DataChange.Kind.API_KEY) {
                told.countDown();
            }
        });
        var over = new CountDownLatch(1);
        try {
            takeConnections(over);
            CompletableFuture<Reply> poll =
                    CompletableFuture.supplyAsync(() -> app().get(OWN + "?wait=30&after=" + cursor, credential));
            awaitWaiting(poll);

            var id = key.id();
            other.send("DELETE", "/v1/organizations/default/api-keys/" + id, other.admin(), null);
            told.await();
            assertThat(other.push("held/kit", version, "private", "# Kit").status())
                    .isEqualTo(201);
            Numbered.all(other.database());
            over.countDown();
            return poll.get();
        } finally {
            over.countDown();
        }
    }

    /// Takes all connections of the first node, until it is over.
    private void takeConnections(CountDownLatch over) {
        var held = new AtomicInteger();
        while (app().database().waiting() == 0) {
            int before = held.get();
            Thread.ofVirtual()
                    .start(() -> app().database().read(tx -> {
                        held.incrementAndGet();
                        return await(over);
                    }));
            Eventually.within(
                    PATIENCE, () -> held.get() > before || app().database().waiting() > 0);
        }
    }

    /// Waits until one more waits for a connection than before, or is refused since it waited for too long. Work of the
    /// node itself waits, too, and gives up.
    private void awaitWaiting(CompletableFuture<Reply> poll) {
        var fewest = new AtomicInteger(app().database().waiting());
        Eventually.within(
                PATIENCE,
                () -> poll.isDone()
                        || app().database().waiting()
                                > fewest.getAndAccumulate(app().database().waiting(), Math::min));
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
