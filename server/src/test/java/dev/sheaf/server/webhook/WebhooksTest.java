package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// What webhooks are sent, in which order, and what becomes of receivers that fail.
@Timeout(120)
class WebhooksTest extends OnEveryStack {
    private static final String ALL = "/v1/organizations/default/webhooks";
    private static final Duration LONG = Duration.ofSeconds(30);

    private Receiver receiver;
    private String path = "";
    private JsonNode made = MissingNode.getInstance();

    @Override
    public Map<String, String> settings() {
        return Map.of("webhook-http", "true", "webhook-private-addresses", "true", "rate-writes", "0");
    }

    @BeforeEach
    void receive() {
        receiver = new Receiver();
        path = "";
    }

    /// No webhook of one scenario is sent what another one does.
    @AfterEach
    void end() {
        if (!path.isEmpty()) {
            assertThat(app().send("DELETE", path, app().admin(), null).status()).isIn(204, 404);
        }
        receiver.close();
    }

    /// A webhook for the events of one namespace.
    private void webhook(String namespace, String more) {
        var reply = app().post(ALL, app().admin(), """
                        {"url": "%s", "eventTypes": ["version.*"], "namespaces": ["%s"]%s}""".formatted(receiver.url(), namespace, more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        made = reply.json();
        path = ALL + "/" + made.get("id").stringValue();
    }

    private void push(String bundle, int... patches) {
        for (int patch : patches) {
            app().push(bundle, "1.0." + patch, "private", "# Kit " + patch);
        }
    }

    private JsonNode shown() {
        return app().get(path, app().admin()).json();
    }

    private List<JsonNode> deliveries(String query) {
        return app().get(path + "/deliveries?limit=100" + query, app().admin())
                .json()
                .get("data")
                .valueStream()
                .toList();
    }

    /// Those that are written down.
    private int attempts() {
        return deliveries("").stream()
                .mapToInt(delivery -> delivery.get("attemptCount").intValue())
                .sum();
    }

    private void untilDelivered(String state, int count) {
        Eventually.within(LONG, () -> deliveries("&state=" + state).size() == count);
    }

    private Reply patch(String json) {
        return app().send("PATCH", path, app().admin(), json);
    }

    private static String signature(Receiver.Received delivery, String secret) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        mac.update((delivery.header("webhook-id") + "." + delivery.header("webhook-timestamp") + ".").getBytes());
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(delivery.body()));
    }

    // --- what is sent ---

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

    // --- receivers that fail ---

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

    @Test
    void aReceiverThatWantsToBeLeftAloneIs() {
        webhook("busy", "");
        receiver.next(exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "3600");
            Receiver.respond(exchange, 429, "slow down");
        });
        push("busy/kit", 0);
        untilDelivered("pending", 1);

        pass(Duration.ofMinutes(10));
        push("busy/kit", 1);
        pass(Duration.ofMinutes(51));
        push("busy/kit", 2);

        receiver.await(4);
        untilDelivered("delivered", 3);
        assertThat(receiver.told())
                .containsExactly(
                        "version.published busy/kit:1.0.0",
                        "version.published busy/kit:1.0.0",
                        "version.published busy/kit:1.0.1",
                        "version.published busy/kit:1.0.2");
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

    @Test
    void ofAnEndlessAnswerOnlyTheBeginIsRead() {
        webhook("endless", "");
        receiver.next(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            var out = exchange.getResponseBody();
            var piece = "x\0".repeat(512).getBytes();
            while (true) {
                out.write(piece); // until the other side has hung up
            }
        });

        push("endless/kit", 0);

        untilDelivered("delivered", 1);
        var delivery = app().get(
                        path + "/deliveries/"
                                + deliveries("").getFirst().get("id").stringValue(),
                        app().admin())
                .json();
        assertThat(delivery.at("/attempts/0/answer").stringValue())
                .hasSize(1024)
                .doesNotContain("\0");
    }

    @Test
    void aReceiverThatIsNotThereIsTriedAgain() {
        webhook("absent", "");
        receiver.close();

        push("absent/kit", 0);

        untilDelivered("pending", 1);
        assertThat(deliveries("").getFirst().get("nextAttemptAt").stringValue()).isNotEmpty();
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
