package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.db.Ids;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.work.Turn;
import dev.sheaf.server.work.Worker;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is written together for several webhooks: each is written, or not, for itself.
@Timeout(120)
class ScribeTest extends OnEveryStack {
    private static final long SEQ = 1_000_000;

    @Override
    public Map<String, String> settings() {
        return Map.of("webhooks", "false");
    }

    /// One webhook, this node's turn at it and its ledger.
    private record Own(UUID id, Turn turn, Ledger ledger) {}

    private Own own(Scribe scribe) {
        var made = app().post("/v1/organizations/default/webhooks", app().admin(), """
                {"url": "https://hooks.example.org/", "eventTypes": ["tag.*"]}""");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        var id = UUID.fromString(made.json().get("id").stringValue());
        var worker = new Worker(app().database(), "webhook", 1, turn -> null);
        var turn = app().database()
                .write(tx -> worker.claim(tx, id.toString(), "owner").orElseThrow());
        return new Own(id, turn, new Ledger(scribe, turn, id));
    }

    private void add(Own own, int number) {
        add(own, number, Ids.next(app().database().now()));
    }

    /// A delivery that was made in one try of that number.
    private void add(Own own, int number, UUID id) {
        var now = app().database().now();
        var delivery = new DeliveryRow(
                id,
                own.id(),
                UUID.randomUUID(),
                SEQ,
                "tag.moved",
                "a/b",
                null,
                DeliveryState.DELIVERED,
                1,
                null,
                now,
                now);
        own.ledger()
                .add(new Ledger.Entry(
                        delivery,
                        new DeliveryRow.Attempt(id, number, now, 1, 204, "", null),
                        Progress.from(SEQ),
                        null));
    }

    private boolean isWritten(Own own) {
        return app().database()
                .read(tx -> tx.has("SELECT 1 FROM delivery WHERE webhook_id = :id", "id", own.id())
                        && tx.has(
                                "SELECT 1 FROM webhook_progress WHERE webhook_id = :id AND seq = :seq",
                                "id",
                                own.id(),
                                "seq",
                                SEQ));
    }

    /// Has the writer wait, so that what comes meanwhile is written together.
    private Thread hold(Own first, CountDownLatch release) throws InterruptedException {
        var holds = new CountDownLatch(1);
        var thread = Thread.ofVirtual()
                .start(() -> app().database().write(tx -> {
                    first.turn().holds(tx);
                    holds.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return tx;
                }));
        holds.await();
        add(first, 1);
        return thread;
    }

    @Test
    void whatIsWrongWithOneIsNoReasonWhyOthersFail() throws Exception {
        var scribe = new Scribe(app().database(), 1);
        var first = own(scribe);
        var good = own(scribe);
        var lost = own(scribe);
        var wrong = own(scribe);
        var gone = own(scribe);
        app().database()
                .write(tx -> tx.change(
                        "UPDATE work SET holder = :other WHERE name = :name",
                        "other",
                        UUID.randomUUID(),
                        "name",
                        lost.id()));
        app().send("DELETE", "/v1/organizations/default/webhooks/" + gone.id(), app().admin(), null);
        var release = new CountDownLatch(1);
        var holding = hold(first, release);

        var twice = Ids.next(app().database().now());
        add(good, 1);
        add(lost, 1);
        add(wrong, 1, twice);
        add(wrong, 1, twice); // a second try of that number, which the database refuses
        add(gone, 1);
        release.countDown();
        holding.join();

        good.ledger().flush();
        assertThat(isWritten(good)).isTrue();
        assertThatThrownBy(() -> lost.ledger().flush()).isInstanceOf(Ledger.LostTurnException.class);
        assertThat(isWritten(lost)).isFalse();
        assertThatThrownBy(() -> gone.ledger().flush()).isInstanceOf(Ledger.LostTurnException.class);
        assertThatThrownBy(() -> wrong.ledger().flush())
                .isInstanceOf(RuntimeException.class)
                .isNotInstanceOf(Ledger.LostTurnException.class);
        assertThat(isWritten(wrong)).isFalse();
        first.ledger().flush();
    }
}
