package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// One's own account: the zone of its times, and what one did.
class AccountPagesTest extends OnConsole {
    private Browser.Page moved(Browser browser, String zone) {
        return browser.submit(browser.open(at("/account")), "/account/time-zone", Map.of("timeZone", zone));
    }

    @Test
    void timesAreInUtcUntilAZoneIsChosen() {
        try (var browser = person("zoned@acme.test", "default", "owner")) {
            assertThat(browser.open(at("/account/sessions")).html())
                    .containsPattern(
                            "<time datetime=\"[^\"]+Z\" title=\"[0-9-]+ [0-9:]+ UTC\">[^<]* ago</time>|just now</time>")
                    .contains("Times: <span class=\"u\">UTC</span>");

            var shown = moved(browser, "Asia/Kolkata");

            assertThat(shown.html())
                    .contains(
                            "Pages show times in Asia/Kolkata from now on.",
                            "Times: <span class=\"u\">Asia/Kolkata</span>")
                    .contains("value=\"Asia/Kolkata\" selected")
                    .as("a page about one thing has UTC as text, too")
                    .containsPattern(">[^<]* UTC\\+05:30 \\([0-9-]+ [0-9:]+ UTC\\)</time>");
            assertThat(browser.open(at("/account/sessions")).html())
                    .containsPattern("title=\"[^\"]* UTC\\+05:30 \\([0-9-]+ [0-9:]+ UTC\\)\">[^<]*</time>");
        }
    }

    @Test
    void aZoneIsTakenBack() {
        try (var browser = person("back-to-utc@acme.test", "default", "owner")) {
            moved(browser, "Europe/Zurich");

            assertThat(moved(browser, "").html())
                    .contains("Times: <span class=\"u\">UTC</span>")
                    .doesNotContain("UTC+0");
        }
    }

    @Test
    void whatIsNoZoneIsRefusedBesideItsField() {
        try (var browser = person("nozone@acme.test", "default", "owner")) {
            for (String zone : new String[] {"Mars/Olympus", "+02:00", "<script>", "europe/zurich"}) {
                var shown = moved(browser, zone);

                assertThat(shown.status()).as(zone).isEqualTo(422);
                assertThat(shown.html())
                        .contains("must be a time zone of the IANA database")
                        .doesNotContain("<script>a");
            }
        }
    }

    @Test
    void theZoneIsOfTheAccountAndOfNobodyElse() {
        try (var one = person("here@acme.test", "default", "owner");
                var other = person("there@acme.test", "default", "owner")) {
            moved(one, "Asia/Tokyo");

            assertThat(other.open(at("/account")).html()).doesNotContain("UTC+09:00");
            try (var again = browser()) {
                again.signIn(app().url(), "here@acme.test", TestApp.PASSWORD);
                assertThat(again.open(at("/account/sessions")).html()).contains("UTC+09:00");
            }
        }
    }

    @Test
    void whatOneDidIsShownAndNothingThatOthersDid() {
        try (var browser = person("active@acme.test", "default", "owner");
                var other = person("passive@acme.test", "default", "owner")) {
            browser.submit(browser.open(at("/account")), "/account/profile", Map.of("fullName", "Active"));
            other.submit(
                    other.open(at("/organizations/default/queues:new")),
                    "/queues",
                    Map.of("name", "q", "slug", "theirs"));

            assertThat(browser.open(at("/account/activity")).html())
                    .contains("<b>user.rename</b>", "<b>session.begin</b>")
                    .doesNotContain("<b>queue.create</b>");
            assertThat(other.open(at("/account/activity?action=queue.*")).html())
                    .contains("<b>queue.create</b>")
                    .doesNotContain("<b>session.begin</b>");
            assertThat(other.open(at("/account/activity?until=2001-01-01")).html())
                    .contains("No such entry");
            var wrong = other.open(at("/account/activity?since=soon"));
            assertThat(wrong.status()).isEqualTo(422);
            assertThat(wrong.html()).contains("id=\"error-since\"", "value=\"soon\"");
        }
    }

    @Test
    void whatWasRefusedIsAmongIt() {
        try (var reader = person("refused@acme.test", "default", "reader")) {
            var queues = reader.open(at("/account"));
            reader.post(at("/organizations/default/queues"), "name=x&_token=" + token(queues));
            app().writeRefusals();

            assertThat(reader.open(at("/account/activity?outcome=denied")).html())
                    .contains("POST /organizations/default/queues", "Denied");
        }
    }

    private static String token(Browser.Page page) {
        return page.html().replaceAll("(?s).*?name=\"_token\" value=\"([^\"]*)\".*", "$1");
    }
}
