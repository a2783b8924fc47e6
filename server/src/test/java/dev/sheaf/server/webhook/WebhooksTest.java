package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What webhooks are sent, in which order, and what is sent once more.
@Timeout(120)
class WebhooksTest extends WebhookScenario {
    @Test
    void anEventIsSentAsTheFeedHasItAndSigned() throws Exception {
        webhook("sent", ", \"headers\": {\"X-Own\": \"mine\"}");

        push("sent/kit", 0);

        var delivery = receiver.await(1).getFirst();
        assertThat(delivery.path()).isEqualTo("/hook");
        assertThat(delivery.header("content-type")).isEqualTo("application/json");
        assertThat(delivery.header("x-own")).isEqualTo("mine");
        assertThat(delivery.header("webhook-id"))
                .isEqualTo(delivery.json().get("id").stringValue());
        assertThat(delivery.header("webhook-signature").split(" "))
                .contains(signature(delivery, made.get("secret").stringValue()))
                .hasSize(2);
        var feed = app().get(
                        "/v1/organizations/default/events?limit=100&types=version.*&subject=sent/kit:1.0.0",
                        app().admin());
        assertThat(delivery.json()).isEqualTo(feed.json().at("/data/0"));
        untilDelivered("delivered", 1);
        var attempts = app().get(
                        path + "/deliveries/"
                                + deliveries("").getFirst().get("id").stringValue(),
                        app().admin())
                .json()
                .get("attempts");
        assertThat(attempts.size()).isEqualTo(1);
        assertThat(attempts.at("/0/status").intValue()).isEqualTo(204);
    }

    @Test
    void onlyWhatItIsForIsSentAndInOrder() {
        webhook("order", ", \"bundles\": [\"order/k*\"]");

        push("order/kit", 0, 1, 2);
        push("order/other", 0);
        push("elsewhere/kit", 0);
        push("order/kit", 3);

        receiver.await(4);
        untilDelivered("delivered", 4);
        assertThat(receiver.told())
                .containsExactlyElementsOf(IntStream.range(0, 4)
                        .mapToObj(i -> "version.published order/kit:1.0." + i)
                        .toList());
    }

    @Test
    void whileThereIsNothingToSendNobodyAsksTheDatabase() {
        assumeTrue(stack() != Stack.SQLITE, "statements are seen on PostgreSQL only");
        webhook("idle", "");
        push("idle/kit", 0);
        untilDelivered("delivered", 1);
        untilItRests();
        String silence = "/v1/organizations/default/events?after=latest&subject=silence/*&wait=";
        app().get(silence + 1, app().admin());

        var asked = new Statements(app().database()).of(() -> app().get(silence + 3, app().admin()));

        assertThat(asked).noneMatch(statement -> statement.sql().matches("(?s).*(webhook|delivery|work).*"));
    }

    /// As where a node dies after it has written what is to be done.
    @Test
    void whatNobodyWasToldOfIsSentOnceANodeLooksForAll() {
        webhook("untold", "");
        push("untold/kit", 0);
        untilDelivered("delivered", 1);
        untilItRests();
        app().database()
                .write(tx -> tx.change(
                        "UPDATE delivery SET state = 'pending', due_at = 0 WHERE webhook_id = :id",
                        "id",
                        made.get("id").stringValue()));

        app().database().write(tx -> {
            tx.changed(new DataChange(DataChange.Kind.EVERYTHING, ""));
            return tx;
        });

        receiver.await(2);
    }

    private void untilItRests() {
        String id = made.get("id").stringValue();
        Eventually.within(
                LONG, () -> app().database().read(tx -> !tx.has("SELECT 1 FROM work WHERE name = :id", "id", id)));
    }

    // --- what people ask for ---

    @Test
    void theOldSecretSignsUntilItsTimeIsOver() throws Exception {
        webhook("rotate", "");
        String old = made.get("secret").stringValue();

        var rotated = app().post(path + ":rotate-secret", app().admin(), "{\"overlap\": \"PT1H\"}")
                .json();
        push("rotate/kit", 0);
        receiver.await(1);
        pass(Duration.ofHours(2));
        push("rotate/kit", 1);

        var deliveries = receiver.await(2);
        String secret = rotated.get("secret").stringValue();
        assertThat(deliveries.get(0).header("webhook-signature").split(" "))
                .contains(signature(deliveries.get(0), secret), signature(deliveries.get(0), old));
        assertThat(deliveries.get(1).header("webhook-signature").split(" "))
                .contains(signature(deliveries.get(1), secret))
                .doesNotContain(signature(deliveries.get(1), old));
        assertThat(shown().has("secret")).isFalse();
    }

    @Test
    void aTestIsSentAtOnce() {
        webhook("test", "");

        var asked = app().post(path + ":test", app().admin(), "{}");

        assertThat(asked.status()).isEqualTo(202);
        assertThat(receiver.await(1).getFirst().told())
                .isEqualTo("webhook.test " + made.get("id").stringValue());
        assertThat(receiver.received().getFirst().json().has("sequence")).isFalse();
        untilDelivered("delivered", 1);
    }

    @Test
    void whatWasDeliveredIsSentOnceMore() {
        webhook("again", "");
        push("again/kit", 0);
        untilDelivered("delivered", 1);

        var asked = app().post(
                        path + "/deliveries/"
                                + deliveries("").getFirst().get("id").stringValue() + ":redeliver",
                        app().admin(),
                        "{}");

        assertThat(asked.status()).isEqualTo(202);
        var both = receiver.await(2);
        assertThat(both.get(0).header("webhook-id")).isEqualTo(both.get(1).header("webhook-id"));
        assertThat(both.get(0).body()).isEqualTo(both.get(1).body());
        untilDelivered("delivered", 1);
        assertThat(deliveries("").getFirst().get("attemptCount").intValue()).isEqualTo(2);
    }

    /// Of a failed delivery, another try is planned.
    private String planned(String namespace) {
        receiver.next(exchange -> Receiver.respond(exchange, 500, "no"));
        webhook(namespace, "");
        push(namespace + "/kit", 0);
        untilDelivered("pending", 1);
        // far away, so that only the requested tries are made
        app().database()
                .write(tx -> tx.change("UPDATE delivery SET due_at = due_at + 3600000 WHERE due_at IS NOT NULL"));
        return path + "/deliveries/" + deliveries("").getFirst().get("id").stringValue();
    }

    private Delivery after(String delivery, int attempts) {
        Eventually.within(
                LONG,
                () -> app().get(delivery, app().admin()).as(Delivery.class).attemptCount() == attempts);
        return app().get(delivery, app().admin()).as(Delivery.class);
    }

    @Test
    void aTryThatSomebodyRequestsLeavesTheScheduleAsItIs() {
        String delivery = planned("extra");
        var before = app().get(delivery, app().admin()).as(Delivery.class);
        receiver.next(exchange -> Receiver.respond(exchange, 502, "no"));
        receiver.next(exchange -> Receiver.respond(exchange, 503, "no"));

        app().post(delivery + ":redeliver", app().admin(), "{}");
        after(delivery, 2);
        app().post(delivery + ":redeliver", app().admin(), "{}");

        var again = after(delivery, 3);
        assertThat(again.state()).isEqualTo("pending");
        assertThat(again.nextAttemptAt()).isEqualTo(before.nextAttemptAt());
        assertThat(again.lastStatus()).isEqualTo(503);
        assertThat(deliveries("").getFirst().get("lastStatus").intValue()).isEqualTo(503);
        assertThat(app().database()
                        .<Long>read(tx -> tx.number("SELECT attempts - extras FROM delivery WHERE due_at IS NOT NULL")))
                .as("tries of the schedule")
                .isEqualTo(1);

        app().post(delivery + ":redeliver", app().admin(), "{}");

        var delivered = after(delivery, 4);
        assertThat(delivered.state()).isEqualTo("delivered");
        assertThat(delivered.nextAttemptAt()).isNull();
        assertThat(delivered.lastError()).isNull();
    }

    @Test
    void aTryThatSomebodyRequestsAfterTheLastOneIsTheOnlyOne() {
        String delivery = planned("last");
        app().database().write(tx -> tx.change("UPDATE delivery SET due_at = NULL, state = 'failed'"));
        receiver.next(exchange -> Receiver.respond(exchange, 500, "no"));

        app().post(delivery + ":redeliver", app().admin(), "{}");

        var failed = after(delivery, 2);
        assertThat(failed.state()).isEqualTo("failed");
        assertThat(failed.nextAttemptAt()).isNull();
    }

    @Test
    void aTryThatSomebodyRequestsDuringAnotherIsMadeAfterIt() {
        String delivery = planned("during");
        var before = app().get(delivery, app().admin()).as(Delivery.class);
        receiver.next(exchange -> {
            app().post(delivery + ":redeliver", app().admin(), "{}");
            Receiver.respond(exchange, 500, "no");
        });
        receiver.next(exchange -> Receiver.respond(exchange, 500, "no"));

        app().post(delivery + ":redeliver", app().admin(), "{}");

        var third = after(delivery, 3);
        assertThat(third.state()).isEqualTo("pending");
        assertThat(third.nextAttemptAt()).as("of the schedule").isEqualTo(before.nextAttemptAt());
    }

    @Test
    void ofADeliveryThatIsSentAgainAndAgainTheLatestTriesAreKept() {
        webhook("often", "");
        push("often/kit", 0);
        untilDelivered("delivered", 1);
        String delivery =
                path + "/deliveries/" + deliveries("").getFirst().get("id").stringValue();
        app().database().write(tx -> tx.change("UPDATE delivery SET attempts = 500 WHERE type = 'version.published'"));

        app().post(delivery + ":redeliver", app().admin(), "{}");

        receiver.await(2);
        untilDelivered("delivered", 1);
        Eventually.within(
                LONG,
                () -> app().get(delivery, app().admin())
                                .json()
                                .get("attemptCount")
                                .intValue()
                        == 501);
        assertThat(app().get(delivery, app().admin()).json().get("attempts").size())
                .isEqualTo(1);
    }

    @Test
    void nothingIsLeftOfAWebhookThatIsDeleted() {
        webhook("bygone", "");
        push("bygone/kit", 0, 1);
        untilDelivered("delivered", 2);

        assertThat(app().send("DELETE", path, app().admin(), null).status()).isEqualTo(204);

        String id = made.get("id").stringValue();
        assertThat(app().database()
                        .<Long>read(tx -> tx.number("SELECT count(*) FROM delivery WHERE webhook_id = :id", "id", id)))
                .isZero();
    }

    @Test
    void whatHappenedIsSentOnceMore() {
        webhook("replay", "");
        push("replay/kit", 0, 1, 2);
        untilDelivered("delivered", 3);
        String first = receiver.received().get(0).json().get("sequence").stringValue();
        String last = receiver.received().get(2).json().get("sequence").stringValue();

        var asked = app().post(
                        path + ":replay",
                        app().admin(),
                        "{\"after\": \"%s\", \"before\": \"%s\"}".formatted(first, last));

        assertThat(asked.status()).as(asked.text()).isEqualTo(202);
        receiver.await(5);
        untilDelivered("delivered", 5);
        assertThat(receiver.told().subList(3, 5))
                .containsExactly("version.published replay/kit:1.0.1", "version.published replay/kit:1.0.2");
        Eventually.within(LONG, () -> !shown().has("replay"));
    }

    @Test
    void whatHappenedInATimeIsSentOnceMore() {
        webhook("time", "");
        push("time/kit", 0);
        untilDelivered("delivered", 1);
        pass(Duration.ofMinutes(1));
        var from = instant();
        pass(Duration.ofMinutes(1));
        push("time/kit", 1, 2);
        untilDelivered("delivered", 3);
        pass(Duration.ofMinutes(1));
        var until = instant();
        pass(Duration.ofMinutes(1));
        push("time/kit", 3);
        untilDelivered("delivered", 4);

        app().post(path + ":replay", app().admin(), "{\"after\": \"%s\", \"before\": \"%s\"}".formatted(from, until));

        receiver.await(6);
        untilDelivered("delivered", 6);
        assertThat(receiver.told().subList(4, 6))
                .containsExactly("version.published time/kit:1.0.1", "version.published time/kit:1.0.2");
        assertThat(deliveries("&type=version.*")).hasSize(6);
        assertThat(deliveries("&type=tag.*")).isEmpty();
        assertThat(deliveries("&type=version.published")).hasSize(6);
    }

    @Test
    void whileItIsDisabledNothingIsSentAndItGoesOnFromWhereItIsEnabled() {
        webhook("off", "");
        assertThat(patch("{\"enabled\": false}").json().get("disabledReason").stringValue())
                .isEqualTo("manually");
        push("off/kit", 0);
        Numbered.all(app().database());

        assertThat(patch("{\"enabled\": true}").json().has("disabledReason")).isFalse();
        push("off/kit", 1);

        receiver.await(1);
        untilDelivered("delivered", 1);
        assertThat(receiver.told()).containsExactly("version.published off/kit:1.0.1");
    }

    @Test
    void anEditCountsForWhatHappensNext() {
        webhook("edit", "");
        push("edit/kit", 0);
        receiver.await(1);
        try (var other = new Receiver()) {
            var edited = patch("{\"url\": \"%s\", \"headers\": {\"X-New\": \"yes\"}}".formatted(other.url()));
            assertThat(edited.status()).as(edited.text()).isEqualTo(200);

            push("edit/kit", 1);

            assertThat(other.await(1).getFirst().header("x-new")).isEqualTo("yes");
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void whatIsSentAtATimeIsBounded() {
        webhook("rate", ", \"rateLimit\": 2");

        push("rate/kit", 0, 1, 2, 3, 4);

        var times = receiver.await(5).stream().map(Receiver.Received::nanos).toList();
        assertThat(Duration.ofNanos(times.getLast() - times.getFirst())).isGreaterThan(Duration.ofSeconds(1));
    }
}
