package dev.sheaf.server.webhook.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.webhook.Receiver;
import java.time.Duration;
import java.util.Map;
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
        assertThat(owner.open(at(all) + "?state=delivered").html()).contains("webhook.test");
        assertThat(owner.open(at(all) + "?state=failed").html()).contains("No delivery matches");
        assertThat(owner.open(at(all) + "?state=lost").status()).isEqualTo(422);
        assertThat(owner.submit(shown, ":redeliver", Map.of()).html()).contains("It is sent again.");
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
