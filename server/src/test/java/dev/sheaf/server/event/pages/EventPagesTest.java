package dev.sheaf.server.event.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.event.EventSweep;
import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The feed of an organization, as people look at it.
class EventPagesTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final int VERSIONS = 55;
    private static final Duration LONG = Duration.ofSeconds(30);

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner = person("events@acme.test", "default", "owner");
        for (int i = 0; i < VERSIONS; i++) {
            app().push("news/kit", "1.0." + i, "public", "text " + i);
        }
        Eventually.within(LONG, () -> open("").html().contains("news/kit:1.0." + (VERSIONS - 1)));
    }

    private Browser.Page open(String query) {
        return owner.open(at(ORG + "/events" + query));
    }

    @Test
    void theNewestComeFirstAndOlderOnesBehind() {
        var first = open("?types=version.published");
        var second = owner.follow(first, "cursor=");

        assertThat(first.html()).contains("news/kit:1.0.54<", "news/kit:1.0.5<").doesNotContain("news/kit:1.0.4<");
        assertThat(first.html().indexOf("1.0.54<")).isLessThan(first.html().indexOf("1.0.53<"));
        assertThat(second.html()).contains("news/kit:1.0.4<", "news/kit:1.0.0<").doesNotContain("news/kit:1.0.5<");
        assertThat(second.html()).doesNotContain("Next page");
    }

    @Test
    void theyAreFilteredByTypeAndSubject() {
        assertThat(open("?subject=news/kit:1.0.7").html())
                .contains("news/kit:1.0.7<", "version.published")
                .doesNotContain("news/kit:1.0.8<");
        assertThat(open("?types=member.*").html()).contains("member.joined").doesNotContain("news/kit:1.0.0<");
        assertThat(open("?subject=news/none").html()).contains("No events here");
    }

    /// An id says nothing to people; the data of the event has it.
    @Test
    void whatHasANameIsCalledByIt() {
        app().key("night watch", "read");
        Numbered.all(app().database());

        assertThat(open("?types=api_key.created").html()).contains("<span class=\"u\">night watch</span>");
    }

    @Test
    void theOldestFirstGoesOnFromACursor() {
        var first = open("?types=version.published&order=oldest");

        assertThat(first.html().indexOf("1.0.0<")).isBetween(0, first.html().indexOf("1.0.1<"));
        assertThat(owner.follow(first, "cursor=").html()).contains("news/kit:1.0.54<");
    }

    /// A link to further events, followed later than they are kept.
    @Test
    void whatIsNoLongerKeptBeginsAgain(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var reader = new Browser()) {
            app.push("old/kit", "1.0.0", "public", "text");
            Numbered.all(app.database());
            String cursor = app.get("/v1/organizations/default/events?limit=1", app.admin())
                    .page(EventRecord.class)
                    .meta()
                    .nextCursor();
            new EventSweep(app.database(), Duration.ofHours(-1)).run();
            app.push("old/kit", "1.1.0", "public", "more");
            Numbered.all(app.database());
            app.person("old@acme.test", "default", "owner");
            reader.signIn(app.url(), "old@acme.test", TestApp.PASSWORD);
            String events = app.url() + ORG + "/events?cursor=" + cursor;

            var newest = reader.open(events);
            var oldest = reader.open(events + "&order=oldest");

            assertThat(newest.status()).isEqualTo(200);
            assertThat(newest.html())
                    .contains("are no longer kept. These are the newest.", "old/kit:1.1.0<")
                    .doesNotContain("From the beginning", cursor);
            assertThat(oldest.html()).contains("are no longer kept. These are the oldest.", "old/kit:1.1.0<");
            assertThat(reader.open(app.url() + ORG + "/events?cursor=AAAA").html())
                    .doesNotContain("no longer kept");
        }
    }

    @Test
    void aTypeThatThereIsNotIsSaid() {
        var shown = open("?types=%3Cscript%3E");

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html()).contains("must be up to 50 types", "value=\"&lt;script>\"");
    }

    /// Older pages and the oldest first stay as they are; without scripts there is a link.
    @Test
    void onlyTheNewestRefreshThemselves() {
        var first = open("?types=version.published");

        assertThat(first.html())
                .contains(
                        "data-live=\"5\"", "href=\"/organizations/default/events?types=version.published\">Refresh</a>")
                .doesNotContain("hx-trigger=\"every");
        assertThat(owner.follow(first, "cursor=").html()).doesNotContain("data-live=");
        assertThat(open("?order=oldest").html()).doesNotContain("data-live=");
    }

    @Test
    void aReaderSeesNoneForAdminsAndAStrangerNothing() {
        app().secondOrganization("deaf");
        try (var reader = person("eventreader@acme.test", "default", "reader");
                var stranger = person("deaf@acme.test", "deaf", "owner")) {
            assertThat(reader.open(at(ORG + "/events")).html())
                    .contains("version.published")
                    .doesNotContain("member.joined");
            assertThat(stranger.open(at(ORG + "/events")).status()).isEqualTo(404);
        }
    }
}
