package dev.sheaf.server.webhook.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.webhook.Receiver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;

/// What people do with webhooks, without scripts.
class WebhookPagesTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final String API = "/v1" + ORG + "/webhooks";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String ANSWER = "<script>alert(1)</script>";

    private Browser owner = new Browser();
    private Receiver receiver = new Receiver();

    @Override
    public Map<String, String> settings() {
        return Map.of("webhook-http", "true", "webhook-private-addresses", "true");
    }

    @Override
    public void prepare() {
        owner = person("hooks@acme.test", "default", "owner");
        receiver = new Receiver();
    }

    @Override
    @AfterParameterizedClassInvocation(injectArguments = false)
    public void stop() {
        super.stop();
        receiver.close();
    }

    private Browser.Page open(String path) {
        return owner.open(at(ORG + path));
    }

    private Browser.Page made(String description) {
        return owner.submit(
                open("/webhooks:new"),
                "/webhooks",
                Map.of(
                        "url",
                        receiver.url(),
                        "description",
                        description,
                        "eventTypes",
                        "tag.moved",
                        "headers",
                        "X-Own: very-own"));
    }

    @Test
    void itsSecretIsShownOnceAndNotAgain() {
        var made = made("once");

        assertThat(made.html()).contains("whsec_", "This is shown once.");
        assertThat(open("/webhooks").html()).contains(">once</a>");
        var again = owner.open(made.place().toString());
        assertThat(again.html()).doesNotContain("whsec_", "very-own").contains("X-Own");

        var rotated = owner.submit(again, ":rotate-secret", Map.of("overlap", "PT1H"));
        assertThat(rotated.html()).contains("whsec_", "The previous secret also signs until");
        assertThat(owner.open(made.place().toString()).html()).doesNotContain("whsec_");
    }

    @Test
    void aWrongAddressComesBackFilledIn() {
        var shown =
                owner.submit(open("/webhooks:new"), "/webhooks", Map.of("url", "ftp://x.test/", "description", "kept"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html()).contains("value=\"ftp://x.test/\"", "value=\"kept\"", "id=\"error-url\"");
    }

    @Test
    void itIsChangedTurnedOffAndDeletedByForms() {
        var made = made("to go");
        String place = made.place().getPath();
        String id = place.replaceFirst(".*/", "");

        owner.submit(made, place + "\"", Map.of("description", "changed", "eventTypes", "version.*", "noHeaders", ""));
        var now = app().get(API + "/" + id, app().admin()).json();
        assertThat(now.get("description").stringValue()).isEqualTo("changed");
        assertThat(now.get("headerNames").toString()).contains("X-Own");
        var off = owner.submit(open("/webhooks/" + id), ":disable", Map.of());
        assertThat(off.html()).contains("Disabled: manually");
        assertThat(owner.submit(off, ":enable", Map.of()).html()).contains("Enabled");
        var question = open("/webhooks/" + id + ":delete");
        assertThat(question.html()).contains("What breaks");
        owner.submit(question, ":delete", Map.of());

        assertThat(app().get(API + "/" + id, app().admin()).status()).isEqualTo(404);
    }

    @Test
    void whoSavesOverWhatSomebodyElseSavedIsShownWhatChanged() {
        var mine = made("raced");
        String id = mine.place().getPath().replaceFirst(".*/", "");
        app().send("PATCH", API + "/" + id, app().admin(), "{\"description\": \"theirs\"}");

        var lost = owner.submit(
                mine,
                "webhooks/" + id + "\"",
                Map.of("url", receiver.url(), "description", "mine", "eventTypes", "tag.moved"));

        assertThat(lost.status()).isEqualTo(412);
        assertThat(lost.html())
                .contains("value=\"mine\"")
                .containsPattern("(?s)id=\"error-description\">.*?“theirs”")
                .doesNotContain("error-eventTypes", "very-own");
        assertThat(app().get(API + "/" + id, app().admin()).text()).contains("\"theirs\"");

        owner.submit(lost, "webhooks/" + id + "\"", Map.of("eventTypes", "tag.moved"));

        assertThat(app().get(API + "/" + id, app().admin()).text()).contains("\"mine\"");
    }

    @Test
    void aTestIsSentAndItsAttemptShownAndSentAgain() {
        receiver.next(exchange -> Receiver.respond(exchange, 200, ANSWER));
        var made = made("tried");
        String all = made.place().getPath() + "/deliveries";

        var sent = owner.submit(made, ":test", Map.of());
        String delivery = sent.place().toString();
        Eventually.within(LONG, () -> owner.open(delivery).html().contains("Delivered"));

        var shown = owner.open(delivery);
        assertThat(shown.html()).contains("&lt;script&gt;alert(1)").doesNotContain(ANSWER);
        assertThat(owner.open(at(all) + "?state=delivered").html())
                .contains("webhook.test")
                .contains("scope=\"col\">Answer</th>", "data-l=\"Answer\"><code>200</code>");
        assertThat(owner.open(at(all) + "?state=failed").html()).contains("No delivery matches");
        assertThat(owner.open(at(all) + "?state=lost").status()).isEqualTo(422);
        assertThat(owner.submit(shown, ":redeliver", Map.of()).html()).contains("It is sent again.");
    }

    private String tested(Browser.Page webhook) {
        String delivery = owner.submit(webhook, ":test", Map.of()).place().toString();
        Eventually.within(LONG, () -> owner.open(delivery).html().contains("1 attempt<"));
        return delivery;
    }

    /// The receiver's words are text, its cookies are not kept, and of a secret redirect only the address.
    @Test
    void aFailedAttemptIsShownWithItsRequestAndAnswer() {
        String words = "<img src=x onerror=alert(1)>\u202E" + "y".repeat(20_000);
        receiver.next(exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.getResponseHeaders().add("Retry-After", "120");
            exchange.getResponseHeaders().add("Location", "https://elsewhere.test/in?code=SECRETCODE");
            exchange.getResponseHeaders().add("X-Request-Id", "<b>r-17</b>");
            exchange.getResponseHeaders().add("Set-Cookie", "session=SECRETCOOKIE");
            Receiver.respond(exchange, 503, words);
        });

        String delivery = tested(made("broken"));

        var page = owner.open(delivery);
        assertThat(page.html())
                .contains(
                        "POST " + receiver.url(),
                        "HTTP 503",
                        "<dt class=\"u\">retry-after</dt><dd class=\"u\">120</dd>")
                .contains("https://elsewhere.test/in?…", "&lt;b&gt;r-17&lt;/b&gt;", "webhook-signature", ">v1,")
                .contains("Body, the first 8.0 KiB of 20 KiB", "&lt;img src=x onerror=alert(1)&gt;\u2039U+202E\u203a")
                .contains("\"webhook.test\"")
                .doesNotContain("SECRETCODE", "SECRETCOOKIE", "whsec_", "<img", "y".repeat(8_193));
        assertThat(page.html()).hasSizeLessThan(100 << 10);
        var attempts = app().get(API + delivery.replaceFirst(".*/webhooks", ""), app().admin())
                .as(Delivery.class)
                .attempts();
        var attempt = Objects.requireNonNull(attempts).getFirst();
        assertThat(attempt.answer()).hasSize(8_190); // one character has three bytes
        assertThat(attempt.answerBytes()).isEqualTo(20_031);
        assertThat(attempt.answerHeaders())
                .containsOnlyKeys("content-type", "content-length", "location", "retry-after", "x-request-id");
    }

    /// What a receiver would need to check the signature by hand.
    @Test
    void theBodyIsDownloadedAsItWasSent() {
        receiver.next(exchange -> Receiver.respond(exchange, 500, ""));
        int before = receiver.received().size();

        String delivery = tested(made("bytes"));

        var sent = receiver.received().get(before);
        assertThat(owner.open(delivery + "/body").html()).isEqualTo(new String(sent.body(), StandardCharsets.UTF_8));
        assertThat(owner.open(delivery).html())
                .contains(sent.header("webhook-signature").split(" ")[0], "Without a body.");
    }

    @Test
    void anAnswerThatIsNoTextIsNotKept() {
        byte[] picture = {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, 3};
        receiver.next(exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "image/png");
            exchange.sendResponseHeaders(400, picture.length);
            exchange.getResponseBody().write(picture);
            exchange.close();
        });

        String delivery = tested(made("picture"));

        assertThat(owner.open(delivery).html()).contains("Body, 8 B: this is not text, so none of it is kept.");
    }

    /// The headers that the organization adds often contain a token.
    @Test
    void ownHeadersAreNamedWithoutTheirValues() {
        receiver.next(exchange -> Receiver.respond(exchange, 500, "no"));
        String id = app().post(API, app().admin(), """
                {"url": "%s", "headers": {"X-Token": "SECRETTOKEN"}, "eventTypes": ["tag.moved"]}""".formatted(receiver.url()))
                .json()
                .get("id")
                .stringValue();

        String delivery = tested(owner.open(at("/organizations/default/webhooks/" + id)));

        assertThat(owner.open(delivery).html())
                .contains("<dt class=\"u\">x-token</dt><dd class=\"u\">(not shown)</dd>")
                .doesNotContain("SECRETTOKEN");
        assertThat(app().get(API + delivery.replaceFirst(".*/webhooks", ""), app().admin())
                        .text())
                .doesNotContain("SECRETTOKEN");
    }

    @Test
    void anEarlierAttemptIsShownByItsNumber() {
        receiver.next(exchange -> Receiver.respond(exchange, 500, "first answer"));
        receiver.next(exchange -> Receiver.respond(exchange, 502, "second answer"));
        String delivery = tested(made("twice"));
        owner.submit(owner.open(delivery), ":redeliver", Map.of());
        Eventually.within(LONG, () -> owner.open(delivery).html().contains("2 attempts<"));

        assertThat(owner.open(delivery).html()).contains("second answer").doesNotContain("first answer");
        assertThat(owner.open(delivery + "?attempt=1").html())
                .contains("first answer", "of attempt 1")
                .doesNotContain("second answer");
        assertThat(owner.open(delivery + "?attempt=99").html()).contains("second answer");
    }

    @Test
    void aReplayBeginsAtATimeAndSaysWhatIsWrongWithIt() {
        var made = made("replayed");

        var wrong = owner.submit(made, ":replay", Map.of("after", "yesterday"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("value=\"yesterday\"", "id=\"error-after\"");
        var right = owner.submit(wrong, ":replay", Map.of("after", "2020-01-01T00:00"));

        assertThat(right.html()).contains("The events are sent again.");
    }

    @Test
    void onlyAdminsOfTheOrganizationSeeThem() {
        var made = made("hidden");
        app().secondOrganization("outside");
        try (var stranger = person("outside@acme.test", "outside", "owner");
                var reader = person("hookreader@acme.test", "default", "reader")) {
            assertThat(stranger.open(made.place().toString()).status()).isEqualTo(404);
            assertThat(stranger.open(at(ORG + "/webhooks")).status()).isEqualTo(404);
            assertThat(reader.open(at(ORG + "/webhooks")).status()).isEqualTo(403);
        }
        assertThat(owner.post(made.place() + ":disable", "x=1").status()).isEqualTo(403);
    }
}
