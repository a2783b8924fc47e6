package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of receivers that fail.
@Timeout(120)
@Tag("slow")
class FailingReceiversTest extends WebhookScenario {
    @Test
    void whatFailedIsTriedAgainAndLaterEventsWaitForIt() {
        webhook("retry", "");
        receiver.next(500);

        push("retry/kit", 0, 1);
        untilDelivered("pending", 1);
        assertThat(shown().has("failingSince")).isTrue();
        pass(Duration.ofSeconds(7));
        receiver.await(3);
        untilDelivered("delivered", 2);

        assertThat(receiver.told())
                .containsExactly(
                        "version.published retry/kit:1.0.0",
                        "version.published retry/kit:1.0.0",
                        "version.published retry/kit:1.0.1");
        var ids = receiver.received().stream()
                .map(each -> each.header("webhook-id"))
                .toList();
        assertThat(ids.get(0)).isEqualTo(ids.get(1)).isNotEqualTo(ids.get(2));
        assertThat(shown().has("failingSince")).isFalse();
    }

    @Test
    void whatFailsForLongIsPassed() {
        webhook("poison", "");
        receiver.next(500);
        push("poison/kit", 0);
        untilDelivered("pending", 1);
        receiver.next(500);
        pass(Duration.ofSeconds(7));
        receiver.await(2);

        pass(Duration.ofSeconds(31)); // its next try is minutes away
        push("poison/kit", 1);

        receiver.await(3);
        untilDelivered("delivered", 1);
        assertThat(receiver.told().getLast()).isEqualTo("version.published poison/kit:1.0.1");
        assertThat(deliveries("&state=pending")).hasSize(1);
    }

    @Test
    void aReceiverThatIsGoneIsSentNoMore() {
        webhook("gone", "");
        receiver.next(410);

        push("gone/kit", 0);

        Eventually.within(LONG, () -> !shown().get("enabled").booleanValue());
        assertThat(shown().get("disabledReason").stringValue()).isEqualTo("gone");
        Numbered.all(app().database());
        assertThat(app().get("/v1/organizations/default/events?types=webhook.disabled&limit=100", app().admin())
                        .text())
                .contains(made.get("id").stringValue());
        push("gone/kit", 1);
        assertThat(app().post(path + ":test", app().admin(), "{}").status()).isEqualTo(409);
        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void aReceiverThatFailsForFiveDaysIsSentNoMore() {
        webhook("hopeless", "");
        receiver.always(503);
        push("hopeless/kit", 0);
        untilDelivered("pending", 1);

        for (int day = 0; day < 6; day++) {
            Eventually.within(LONG, () -> attempts() == receiver.received().size());
            int tries = receiver.received().size();
            pass(Duration.ofDays(1).plusMinutes(1));
            push("hopeless/kit", day + 1);
            Eventually.within(
                    LONG,
                    () -> receiver.received().size() > tries
                            || !shown().get("enabled").booleanValue());
        }

        Eventually.within(LONG, () -> !shown().get("enabled").booleanValue());
        assertThat(shown().get("disabledReason").stringValue()).isEqualTo("failing");
        assertThat(deliveries("&state=pending")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"3600, PT1H", "99999999999999999999, P1D"})
    void aReceiverThatWantsToBeLeftAloneIsForADayAtMost(String wish, Duration alone) {
        String kit = "busy/kit-" + wish.length();
        webhook("busy", "");
        receiver.next(exchange -> {
            exchange.getResponseHeaders().add("Retry-After", wish);
            Receiver.respond(exchange, 429, "slow down");
        });
        push(kit, 0);
        untilDelivered("pending", 1);

        pass(alone.dividedBy(2));
        push(kit, 1);
        pass(alone.dividedBy(2).plusMinutes(1));
        push(kit, 2);

        receiver.await(4);
        untilDelivered("delivered", 3);
        assertThat(receiver.told())
                .containsExactly(
                        "version.published " + kit + ":1.0.0",
                        "version.published " + kit + ":1.0.0",
                        "version.published " + kit + ":1.0.1",
                        "version.published " + kit + ":1.0.2");
    }

    /// Whoever asked for it looks on.
    @Test
    void aTestIsSentBeforeAllThatFailed() {
        webhook("look", "");
        receiver.always(500);
        push("look/kit", 0);
        untilDelivered("pending", 1);
        pass(Duration.ofSeconds(31));
        receiver.await(2);
        push("look/kit", 1);
        receiver.await(3);
        push("look/kit", 2);
        receiver.await(4);
        untilDelivered("pending", 3);
        var release = held(500);
        pass(Duration.ofHours(1)); // all are due
        receiver.await(5);

        assertThat(app().post(path + ":test", app().admin(), "{}").status()).isEqualTo(202);
        release.countDown();

        assertThat(receiver.await(6).get(5).told())
                .isEqualTo("webhook.test " + made.get("id").stringValue());
    }

    @Test
    void testsThatAreNotSentYetAreBounded() {
        webhook("many", "");
        var release = held(204);
        for (int i = 0; i < 5; i++) {
            assertThat(app().post(path + ":test", app().admin(), "{}").status()).isEqualTo(202);
        }

        assertThat(app().post(path + ":test", app().admin(), "{}").status()).isEqualTo(409);

        release.countDown();
        untilDelivered("delivered", 5);
        assertThat(app().post(path + ":test", app().admin(), "{}").status()).isEqualTo(202);
        receiver.await(6);
    }

    /// What the receiver before says counts for itself.
    @ParameterizedTest
    @CsvSource({"410", "429"})
    void aReceiverAnswersForItselfAlone(int status) {
        String namespace = "moved-" + status;
        webhook(namespace, "");
        var release = held(status);
        push(namespace + "/kit", 0);
        receiver.await(1);
        try (var other = new Receiver()) {
            assertThat(patch("{\"url\": \"%s\"}".formatted(other.url())).status())
                    .isEqualTo(200);
            release.countDown();
            push(namespace + "/kit", 1);

            assertThat(other.await(1).getFirst().told()).startsWith("version.published " + namespace + "/kit:1.0.");
            assertThat(shown().get("enabled").booleanValue()).isTrue();
            assertThat(shown().has("failingSince")).isFalse();
            pass(Duration.ofSeconds(7));
            other.await(2);
            assertThat(other.told())
                    .as("what the one before has refused, too")
                    .containsExactlyInAnyOrder(
                            "version.published " + namespace + "/kit:1.0.0",
                            "version.published " + namespace + "/kit:1.0.1");
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void whatWasGivenUpIsNotSentByACallThatEndsLater() {
        webhook("skip", "");
        var release = held(204);
        push("skip/kit", 0, 1, 2);
        Numbered.all(app().database());
        receiver.await(1);

        patch("{\"enabled\": false}");
        patch("{\"enabled\": true}");
        release.countDown();
        push("skip/kit", 3);

        receiver.await(2);
        untilDelivered("delivered", 2);
        assertThat(receiver.told())
                .containsExactly("version.published skip/kit:1.0.0", "version.published skip/kit:1.0.3");
    }

    @Test
    void failureAfterDisablingIsNotRetried() {
        webhook("disabled", "");
        var release = held(500);
        push("disabled/kit", 0);
        receiver.await(1);

        patch("{\"enabled\": false}");
        release.countDown();

        untilDelivered("failed", 1);
        assertThat(deliveries("&state=pending")).isEmpty();
    }

    @Test
    void resultIsNotStoredAfterAnotherNodeTookOver() {
        webhook("lost", "");
        var release = held(204);
        push("lost/kit", 0);
        receiver.await(1);
        String id = made.get("id").stringValue();
        app().database()
                .write(tx -> tx.change(
                        "UPDATE work SET holder = :other WHERE kind = 'webhook' AND name = :id",
                        "other",
                        UUID.randomUUID(),
                        "id",
                        id));

        release.countDown();
        pass(Duration.ofSeconds(31)); // the other node died
        push("lost/kit", 1);

        receiver.await(3);
        assertThat(receiver.told())
                .containsExactly(
                        "version.published lost/kit:1.0.0",
                        "version.published lost/kit:1.0.0",
                        "version.published lost/kit:1.0.1");
        untilDelivered("delivered", 2);
    }

    /// Answers the next request so, and a failure with the wish to be left alone, once that is released.
    private CountDownLatch held(int status) {
        var release = new CountDownLatch(1);
        receiver.next(exchange -> {
            try {
                release.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (status == 429) {
                exchange.getResponseHeaders().add("Retry-After", "86400");
            }
            Receiver.respond(exchange, status, "");
        });
        return release;
    }

    @Test
    void aRedirectIsNotFollowed() {
        webhook("redirect", "");
        receiver.next(exchange -> {
            exchange.getResponseHeaders().add("Location", receiver.url() + "/elsewhere");
            Receiver.respond(exchange, 307, "");
        });

        push("redirect/kit", 0);

        untilDelivered("pending", 1);
        assertThat(receiver.received()).hasSize(1);
        var delivery = app().get(
                        path + "/deliveries/"
                                + deliveries("").getFirst().get("id").stringValue(),
                        app().admin())
                .json();
        assertThat(delivery.at("/attempts/0/error").stringValue()).contains("redirects are not followed");
    }

    /// What has a NUL is not text, and only its size is known.
    @ParameterizedTest
    @ValueSource(strings = {"xy", "x\0"})
    void ofAnEndlessAnswerOnlyTheBeginIsRead(String text) {
        webhook("endless", "");
        receiver.next(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            var out = exchange.getResponseBody();
            var piece = text.repeat(512).getBytes(StandardCharsets.UTF_8);
            while (true) {
                out.write(piece); // until the other side has hung up
            }
        });

        push("endless/kit-" + (text.equals("xy") ? "text" : "nul"), 0);

        untilDelivered("delivered", 1);
        var delivery = app().get(
                        path + "/deliveries/"
                                + deliveries("").getFirst().get("id").stringValue(),
                        app().admin())
                .json();
        assertThat(delivery.at("/attempts/0/answer").asString("none"))
                .isEqualTo(text.equals("xy") ? "xy".repeat(512) : "none");
        assertThat(delivery.at("/attempts/0/answerBytes").intValue()).isEqualTo(64 << 10);
    }

    @Test
    void aReceiverThatIsNotThereIsTriedAgain() {
        webhook("absent", "");
        receiver.close();

        push("absent/kit", 0);

        untilDelivered("pending", 1);
        assertThat(deliveries("").getFirst().get("nextAttemptAt").stringValue()).isNotEmpty();
    }
}
