package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who reads which events, and how readers go on.
class EventsApiTest extends OnEveryStack {
    private static final String OWN = "/v1/organizations/default/events";
    private static final String HUB = "/v1/hub/events";

    private static List<String> types(Reply reply) {
        return reply.list(EventRecord.class).stream().map(EventRecord::type).toList();
    }

    private static String next(Reply reply) {
        return reply.nextCursor();
    }

    /// What stands behind a cursor, once there is something, and all of it that was written before now.
    private Reply behind(String feed, @Nullable String key, String cursor, String more) {
        return app().get(feed + "?limit=100&wait=30&after=" + cursor + more, key);
    }

    private String end(String feed, String key) {
        Numbered.all(app().database());
        return next(app().get(feed + "?after=latest", key));
    }

    private List<EventRecord> all(String feed, @Nullable String key, String cursor) {
        Numbered.all(app().database());
        return app().get(feed + "?limit=100&after=" + cursor, key).list(EventRecord.class);
    }

    private static List<String> told(List<EventRecord> events) {
        return events.stream()
                .map(event -> event.type() + " " + event.subject())
                .toList();
    }

    @Test
    void listsNewestFirst() {
        for (int i = 0; i < 3; i++) {
            app().push("newest/kit", "1.0." + i, "private", "# Kit " + i);
        }
        Numbered.all(app().database());
        String filter = "&types=version.published&subject=newest/kit:*&limit=2";

        var first = app().get(OWN + "?before=latest" + filter, app().admin());
        var second = app().get(OWN + "?before=" + next(first) + filter, app().admin());

        assertThat(subjects(first)).containsExactly("newest/kit:1.0.2", "newest/kit:1.0.1");
        assertThat(first.header("Link")).contains("before=");
        assertThat(first.page(EventRecord.class).meta().hasMore()).isTrue();
        assertThat(subjects(second)).containsExactly("newest/kit:1.0.0");
        assertThat(second.page(EventRecord.class).meta().hasMore()).isFalse();
        assertThat(app().get(OWN + "?before=latest&wait=1", app().admin()).status())
                .isEqualTo(422);
    }

    private static List<String> subjects(Reply reply) {
        return reply.list(EventRecord.class).stream().map(EventRecord::subject).toList();
    }

    @Test
    void anEventIsACloudEvent() {
        String before = end(OWN, app().admin());
        app().push("shape/kit", "1.0.0", "private", "# Kit");

        var page = behind(OWN, app().admin(), before, "&types=version.*");

        var event = page.json().at("/data/0");
        assertThat(event.propertyNames())
                .containsExactly(
                        "specversion",
                        "id",
                        "source",
                        "type",
                        "subject",
                        "time",
                        "datacontenttype",
                        "sequence",
                        "data");
        assertThat(event.get("source").stringValue()).isEqualTo("/organizations/default");
        assertThat(event.get("subject").stringValue()).isEqualTo("shape/kit:1.0.0");
        assertThat(event.get("sequence").stringValue()).hasSize(20);
        assertThat(event.get("data").propertyNames())
                .containsExactly("actor", "bundleId", "versionId", "bundle", "version", "digest");
        assertThat(event.at("/data/actor/type").stringValue()).isEqualTo("key");
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrRepetition() {
        String cursor = end(OWN, app().admin());
        for (int i = 0; i < 5; i++) {
            app().push("pages/kit", "1.0." + i, "private", "# Kit");
        }
        Numbered.all(app().database());

        var read = new ArrayList<String>();
        Reply page;
        do {
            page = app().get(OWN + "?types=version.published&limit=2&after=" + cursor, app().admin());
            read.addAll(subjects(page));
            cursor = next(page);
        } while (page.page(EventRecord.class).meta().hasMore());

        assertThat(read)
                .containsExactly(
                        "pages/kit:1.0.0", "pages/kit:1.0.1", "pages/kit:1.0.2", "pages/kit:1.0.3", "pages/kit:1.0.4");
        assertThat(app().get(OWN + "?after=" + cursor, app().admin()).list(EventRecord.class))
                .isEmpty();
    }

    @Test
    void aFollowerIsWokenByTheNextEvent() throws Exception {
        String cursor = end(OWN, app().admin());
        var waiting = CompletableFuture.supplyAsync(() -> behind(OWN, app().admin(), cursor, "&subject=wake/*"));
        app().push("wake/kit", "1.0.0", "private", "# Kit");

        assertThat(types(waiting.get())).contains("version.published");
    }

    @Test
    void emptyPollReturnsNextCursor() {
        String cursor = end(OWN, app().admin());

        var page = app().get(OWN + "?types=user.totp_enabled&wait=1&after=" + cursor, app().admin());

        assertThat(page.status()).isEqualTo(200);
        assertThat(next(page)).isEqualTo(cursor);
    }

    @Test
    void readersGetOnlyEventsTheyMaySee() {
        String read = app().key("reads events", "read");
        String other = app().secondOrganization("elsewhere-" + stack().ordinal());
        var narrow = app().secret("""
                {"name": "narrow events", "scopes": ["admin"], "restrictions": {"bundles": ["who/k*"]}}""");
        String cursor = end(OWN, app().admin());
        app().push("who/kit", "1.0.0", "private", "# Kit");
        app().push("who/plan", "1.0.0", "private", "# Plan");
        app().key("made meanwhile", "read");

        assertThat(told(all(OWN, read, cursor)))
                .containsExactly(
                        "bundle.created who/kit",
                        "version.published who/kit:1.0.0",
                        "bundle.created who/plan",
                        "version.published who/plan:1.0.0");
        assertThat(all(OWN, read, cursor)).noneMatch(event -> event.sequence() != null);
        assertThat(told(all(OWN, narrow, cursor)))
                .containsExactly("bundle.created who/kit", "version.published who/kit:1.0.0");
        assertThat(all(OWN, narrow, cursor)).noneMatch(event -> event.sequence() != null);
        assertThat(told(all(OWN, app().admin(), cursor)))
                .contains("namespace.claimed who")
                .anyMatch(event -> event.startsWith("api_key.created "));
        assertThat(app().get(OWN, other).status()).isEqualTo(404);
        assertThat(app().get(OWN, null).status()).isEqualTo(401);
    }

    @Test
    void theHubTellsOfWhatIsPublicWhileItIs() {
        String cursor = end(HUB, app().admin());
        app().push("open/hidden", "1.0.0", "private", "# Hidden");
        app().push("open/kit", "1.0.0", "public", "# Kit");
        app().send("PATCH", bundle("open/kit"), app().admin(), "{\"visibility\": \"private\"}");
        app().push("open/kit", "1.1.0", "private", "# Kit 2");
        app().send("PATCH", bundle("open/kit"), app().admin(), "{\"visibility\": \"public\"}");
        app().post(bundle("open/kit") + "/versions/1.0.0:yank", app().admin(), "{\"reason\": \"Wrong\"}");
        app().send("DELETE", bundle("open/kit"), app().admin(), null);

        var events = all(HUB, null, cursor);

        assertThat(told(events))
                .containsExactly(
                        "version.published open/kit:1.0.0",
                        "bundle.listed open/kit",
                        "bundle.withdrawn open/kit",
                        "bundle.listed open/kit",
                        "version.yanked open/kit:1.0.0",
                        "bundle.withdrawn open/kit",
                        "bundle.deleted open/kit");
        assertThat(events).noneMatch(event -> event.data().containsKey("actor") || event.sequence() != null);
    }

    @Test
    void cursorsAreForTheirFeedAlone() {
        String own = end(OWN, app().admin());

        assertThat(app().get(HUB + "?after=" + own, null).problem().code()).isEqualTo("invalid-cursor");
        assertThat(app().get(OWN + "?after=AAAA", app().admin()).status()).isEqualTo(400);
    }

    @Test
    void whatIsSweptIsToldAndNotSkipped() {
        String gone = end(OWN, app().admin());
        app().push("swept/kit", "1.0.0", "private", "# Kit");
        Numbered.all(app().database());
        pass(Duration.ofHours(1));
        app().push("swept/kit", "1.1.0", "private", "# Kit 2");
        Numbered.all(app().database());
        new EventSweep(app().database(), Duration.ofMinutes(30)).run();

        var refused = app().get(OWN + "?after=" + gone, app().admin());

        refused.assertRefused("410 cursor-expired");
        String oldest = refused.json().get("oldest").stringValue();
        assertThat(told(all(OWN, app().admin(), oldest))).containsExactly("version.published swept/kit:1.1.0");
        assertThat(types(app().get(OWN, app().admin()))).containsExactly("version.published");
    }

    @Test
    void rejectsWrongParametersWithLimit() {
        for (String query : List.of(
                "wait=31",
                "wait=-1",
                "types=Version",
                "types=a*b",
                "types=",
                "types=nope",
                "types=version.*,tag.nope",
                "subject=")) {
            var reply = app().get(OWN + "?" + query, app().admin());

            assertThat(reply.status()).as(query).isEqualTo(422);
            assertThat(reply.problem().errors().getFirst().field()).as(query).isEqualTo(query.split("=")[0]);
        }
        assertThat(app().get(OWN + "?wait=31", app().admin()).text()).contains("0 to 30");
    }
}
