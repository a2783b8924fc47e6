package dev.sheaf.server.v1.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tags over HTTP: compare-and-set, protection, history and rollback (contract 3.6).
class TagsApiTest extends OnEveryStack {
    private static String tag(String repository, String name) {
        return bundle(repository) + "/tags/" + name;
    }

    private void push(String repository, String... versions) {
        for (String one : versions) {
            assertThat(app().push(repository, one, "public", one).status()).isEqualTo(201);
        }
    }

    private Reply put(String repository, String name, String body) {
        return app().send("PUT", tag(repository, name), app().admin(), body);
    }

    private Reply put(String repository, String name, String version, String more) {
        return put(repository, name, "{\"version\": \"" + version + "\"" + more + "}");
    }

    private Reply rollback(String repository, String name, String body) {
        return app().post(tag(repository, name) + ":rollback", app().admin(), body);
    }

    private String resolved(String repository, String selector) {
        var reply = app().get(bundle(repository) + ":resolve?version=" + selector, null);
        return reply.json().get(reply.status() == 200 ? "version" : "code").stringValue();
    }

    private static String code(Reply reply) {
        return reply.status() + " " + reply.json().get("code").stringValue();
    }

    @Test
    void aTagIsSetReadListedMovedAndRemoved() {
        push("tag/kit", "1.0.0", "1.1.0");

        var created = put("tag/kit", "stable", "1.0.0", "");
        var moved = put("tag/kit", "stable", "1.1.0", ", \"expectedVersion\": \"1.0.0\"");
        var read = app().get(tag("tag/kit", "stable"), app().admin());
        var strangers = app().get(tag("tag/kit", "stable"), null).json();
        var list = app().get(bundle("tag/kit") + "/tags", null).json().get("data");
        var removed = app().send("DELETE", tag("tag/kit", "stable"), app().admin(), null);

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(tag("tag/kit", "stable"));
        assertThat(moved.status()).isEqualTo(200);
        assertThat(read.json()).isEqualTo(moved.json());
        assertThat(strangers.get("updatedBy").stringValue())
                .as("whose key it was")
                .isEqualTo("tag");
        assertThat(read.header("ETag")).isEqualTo(moved.header("ETag")).isNotEmpty();
        assertThat(read.json().get("version").stringValue()).isEqualTo("1.1.0");
        assertThat(read.json().get("digest").stringValue()).startsWith("sha256:");
        assertThat(read.json().get("protected").booleanValue()).isFalse();
        assertThat(read.json().get("managed").booleanValue()).isFalse();
        assertThat(read.json().get("updatedBy").stringValue()).startsWith("key:");
        assertThat(list.findValuesAsString("name")).containsExactly("latest", "stable");
        assertThat(list.get(0).get("managed").booleanValue()).isTrue();
        assertThat(removed.status()).isEqualTo(204);
        assertThat(code(app().get(tag("tag/kit", "stable"), null))).isEqualTo("404 tag-not-found");
        assertThat(code(app().send("DELETE", tag("tag/kit", "stable"), app().admin(), null)))
                .isEqualTo("404 tag-not-found");
    }

    @Test
    void tagsComeInPages() {
        push("pages/kit", "1.0.0");
        for (String name : List.of("c", "a", "b")) {
            put("pages/kit", name, "1.0.0", "");
        }

        var first = app().get(bundle("pages/kit") + "/tags?limit=2", null).json();
        String cursor = first.get("meta").get("nextCursor").stringValue();
        put("pages/kit", "a1", "1.0.0", "");
        var second = app().get(bundle("pages/kit") + "/tags?limit=2&cursor=" + cursor, null)
                .json();

        assertThat(first.get("data").findValuesAsString("name")).containsExactly("a", "b");
        assertThat(second.get("data").findValuesAsString("name")).containsExactly("c", "latest");
        assertThat(second.get("meta").get("hasMore").booleanValue()).isFalse();
    }

    @Test
    void whoExpectsAnotherVersionIsToldWhereTheTagIs() {
        push("cas/kit", "1.0.0", "1.1.0", "1.2.0");
        put("cas/kit", "stable", "1.1.0", "");

        var moved = put("cas/kit", "stable", "1.2.0", ", \"expectedVersion\": \"1.0.0\"");
        var absent = put("cas/kit", "nowhere", "1.2.0", ", \"expectedVersion\": \"1.0.0\"");
        var unknown = put("cas/kit", "stable", "1.2.0", ", \"expectedVersion\": \"9.9.9\"");

        assertThat(code(moved)).isEqualTo("409 tag-moved");
        assertThat(moved.json().get("expected").stringValue()).isEqualTo("1.0.0");
        assertThat(moved.json().get("actual").stringValue()).isEqualTo("1.1.0");
        assertThat(moved.json().get("tag").stringValue()).isEqualTo("stable");
        assertThat(code(absent)).isEqualTo("409 tag-moved");
        assertThat(code(unknown)).isEqualTo("409 tag-moved");
        assertThat(resolved("cas/kit", "stable")).isEqualTo("1.1.0");
    }

    @Test
    void ofConcurrentMovesFromOneVersionOneWins() throws Exception {
        push("crowd/kit", "1.0.0", "1.1.0");
        put("crowd/kit", "stable", "1.0.0", "");
        var moves = new ArrayList<Future<Reply>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                moves.add(
                        threads.submit(() -> put("crowd/kit", "stable", "1.1.0", ", \"expectedVersion\": \"1.0.0\"")));
            }
        }
        var statuses = new ArrayList<Integer>();
        for (var move : moves) {
            statuses.add(move.get().status());
        }

        assertThat(statuses).containsOnlyOnce(200);
        assertThat(statuses).filteredOn(status -> status == 409).hasSize(7);
    }

    @Test
    void anETagGuardsAChange() {
        push("etags/kit", "1.0.0", "1.1.0");
        put("etags/kit", "stable", "1.0.0", "");
        String old = app().get(tag("etags/kit", "stable"), null).header("ETag");
        String current = put("etags/kit", "stable", "1.1.0", "").header("ETag");

        int mismatch = conditional("PUT", "If-Match", old, "{\"version\": \"1.0.0\"}");
        int notDeleted = conditional("DELETE", "If-Match", old, null);
        int exists = conditional("PUT", "If-None-Match", "*", "{\"version\": \"1.0.0\"}");
        assertThat(List.of(mismatch, notDeleted, exists)).containsExactly(412, 412, 412);
        assertThat(resolved("etags/kit", "stable")).isEqualTo("1.1.0");

        assertThat(conditional("PUT", "If-Match", current, "{\"version\": \"1.0.0\"}"))
                .isEqualTo(200);
        assertThat(conditional("DELETE", "If-Match", "*", null)).isEqualTo(204);
        assertThat(conditional("PUT", "If-Match", "*", "{\"version\": \"1.0.0\"}"))
                .isEqualTo(412);
        assertThat(conditional("PUT", "If-None-Match", "*", "{\"version\": \"1.0.0\"}"))
                .isEqualTo(201);
    }

    private int conditional(String method, String header, String value, @Nullable String body) {
        return app().send(app().request(method, tag("etags/kit", "stable"), app().admin(), body)
                        .header(header, value))
                .status();
    }

    @Test
    void aProtectedTagStaysUntilItsProtectionIsLifted() {
        push("guarded/kit", "1.0.0", "1.1.0", "1.2.0");
        put("guarded/kit", "stable", "1.0.0", "");
        var locked = put("guarded/kit", "stable", "1.1.0", ", \"protected\": true");

        var moved = put("guarded/kit", "stable", "1.2.0", "");
        var removed = app().send("DELETE", tag("guarded/kit", "stable"), app().admin(), null);
        var rolledBack = rollback("guarded/kit", "stable", "{}");
        var pushed = app().post(bundle("guarded/kit") + ":push", app().admin(), """
                {"version": "1.2.0", "name": "Test", "tags": ["stable"],
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "1.2.0"}]}""");
        var again = put("guarded/kit", "stable", "1.1.0", "");
        var lifted = put("guarded/kit", "stable", "1.2.0", ", \"protected\": false");

        assertThat(locked.json().get("protected").booleanValue()).isTrue();
        for (var refused : List.of(moved, removed, rolledBack, pushed)) {
            assertThat(code(refused)).isEqualTo("409 tag-protected");
            assertThat(refused.json().get("tag").stringValue()).isEqualTo("stable");
        }
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("protected").booleanValue()).isTrue();
        assertThat(lifted.json().get("version").stringValue()).isEqualTo("1.2.0");
        assertThat(lifted.json().get("protected").booleanValue()).isFalse();
    }

    @Test
    void latestIsPinnedUntilItIsDeleted() {
        push("pin/kit", "1.0.0", "1.1.0");
        var managed = app().send("DELETE", tag("pin/kit", "latest"), app().admin(), null);

        var pinned = put("pin/kit", "latest", "1.0.0", "");
        push("pin/kit", "2.0.0");
        String whilePinned = resolved("pin/kit", "");
        var deleted = app().send("DELETE", tag("pin/kit", "latest"), app().admin(), null);

        assertThat(code(managed)).isEqualTo("409 conflict");
        assertThat(pinned.json().get("managed").booleanValue()).isFalse();
        assertThat(whilePinned).isEqualTo("1.0.0");
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(resolved("pin/kit", "")).isEqualTo("2.0.0");
        assertThat(app().get(tag("pin/kit", "latest"), null)
                        .json()
                        .get("managed")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void aYankMovesAPinnedLatestAndProtectedTagsToo() {
        push("yanked/kit", "1.0.0", "1.1.0");
        put("yanked/kit", "latest", "1.0.0", ", \"protected\": true");
        put("yanked/kit", "stable", "1.1.0", ", \"protected\": true");

        app().post(bundle("yanked/kit") + "/versions/1.0.0:yank", app().admin(), "{}");
        var latest = app().get(tag("yanked/kit", "latest"), null).json();
        app().post(bundle("yanked/kit") + "/versions/1.1.0:yank", app().admin(), "{}");

        assertThat(latest.get("version").stringValue()).isEqualTo("1.1.0");
        assertThat(latest.get("managed").booleanValue()).isTrue();
        assertThat(latest.get("protected").booleanValue()).isFalse();
        assertThat(app().get(bundle("yanked/kit") + "/tags", null)
                        .json()
                        .get("data")
                        .size())
                .isZero();
        assertThat(code(put("yanked/kit", "stable", "1.1.0", ""))).isEqualTo("409 conflict");
        var history = app().get(tag("yanked/kit", "stable") + "/history", null).json();
        assertThat(history.get("data").get(0).has("newDigest")).isFalse();
        assertThat(code(rollback("yanked/kit", "stable", "{}"))).isEqualTo("409 conflict");
    }

    @Test
    void everyMoveIsInTheHistoryAndCanBeTakenBack() {
        push("past/kit", "1.0.0", "1.1.0", "1.2.0");
        for (String version : List.of("1.0.0", "1.1.0", "1.1.0", "1.2.0")) {
            put("past/kit", "stable", version, "");
        }

        var history =
                app().get(tag("past/kit", "stable") + "/history", null).json().get("data");
        var back = rollback("past/kit", "stable", "{}");
        var undone = app().send("POST", tag("past/kit", "stable") + ":rollback", app().admin(), null);
        var named = rollback(
                "past/kit", "stable", """
                {"entry": "%s", "expectedVersion": "1.2.0"}""".formatted(history.get(2).get("id").stringValue()));

        assertThat(history.findValuesAsString("newVersion")).containsExactly("1.2.0", "1.1.0", "1.0.0");
        assertThat(history.findValuesAsString("oldVersion")).containsExactly("1.1.0", "1.0.0");
        assertThat(history.get(0).get("by").stringValue()).isEqualTo("past");
        assertThat(app().get(tag("past/kit", "stable") + "/history", app().admin())
                        .json()
                        .at("/data/0/by")
                        .stringValue())
                .startsWith("key:");
        assertThat(history.get(0).get("at").stringValue()).endsWith("Z");
        assertThat(back.json().get("version").stringValue()).isEqualTo("1.1.0");
        assertThat(undone.json().get("version").stringValue()).isEqualTo("1.2.0");
        assertThat(named.json().get("version").stringValue()).isEqualTo("1.0.0");
        var page =
                app().get(tag("past/kit", "stable") + "/history?limit=4", null).json();
        var rest = app().get(
                        tag("past/kit", "stable") + "/history?limit=4&cursor="
                                + page.get("meta").get("nextCursor").stringValue(),
                        null)
                .json();
        assertThat(page.get("data").findValuesAsString("newVersion"))
                .containsExactly("1.0.0", "1.2.0", "1.1.0", "1.2.0");
        assertThat(rest.get("data").findValuesAsString("newVersion")).containsExactly("1.1.0", "1.0.0");
    }

    @Test
    void aRollbackThatLeadsNowhereIsRefused() {
        push("stuck/kit", "1.0.0", "1.1.0");
        put("stuck/kit", "stable", "1.0.0", "");

        assertThat(code(rollback("stuck/kit", "stable", "{}"))).isEqualTo("409 conflict");
        assertThat(code(rollback("stuck/kit", "never", "{}"))).isEqualTo("404 tag-not-found");
        assertThat(code(rollback("stuck/kit", "stable", """
                {"entry": "01890000-0000-7000-8000-000000000001"}"""))).isEqualTo("404 not-found");
        assertThat(code(rollback("stuck/kit", "stable", """
                {"entry": "first"}"""))).isEqualTo("422 validation-failed");
        put("stuck/kit", "stable", "1.1.0", "");
        assertThat(code(rollback("stuck/kit", "stable", """
                {"expectedVersion": "1.0.0"}"""))).isEqualTo("409 tag-moved");
        assertThat(code(app().get(tag("stuck/kit", "never") + "/history", null)))
                .isEqualTo("404 tag-not-found");
    }

    @Test
    void aDeletedTagComesBackByRollback() {
        push("revive/kit", "1.0.0");
        put("revive/kit", "stable", "1.0.0", "");
        app().send("DELETE", tag("revive/kit", "stable"), app().admin(), null);

        var revived = rollback("revive/kit", "stable", "{}");

        assertThat(revived.json().get("version").stringValue()).isEqualTo("1.0.0");
        assertThat(resolved("revive/kit", "stable")).isEqualTo("1.0.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                | /version
            {"version": null}                                 | /version
            {"version": 1}                                    | /version
            {"version": "latest"}                             | /version
            {"version": "1.0"}                                | /version
            {"version": "1.0.0", "expectedVersion": "^1"}     | /expectedVersion
            {"version": "1.0.0", "protected": "yes"}          | /protected
            """)
    void whatIsWrongIsNamed(String body, String pointer) {
        app().push("wrongtag/kit", "1.0.0", "public", "one");

        var reply = put("wrongtag/kit", "stable", body);

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.json().get("errors").get(0).get("field").stringValue()).isEqualTo(pointer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "1.0.0_b", "2.0.0-rc.1", "v1.0.1", "1.1", "2", "2.x", "-a", "a%20b"})
    void aVersionOrARangeThatDoesNotHoldItIsNoTag(String name) {
        app().push("likeversion/kit", "1.0.0", "public", "one");

        assertThat(code(put("likeversion/kit", name, "1.0.0", ""))).isEqualTo("422 validation-failed");
    }

    @Test
    void anUnknownVersionIsNotTagged() {
        push("unknowntag/kit", "1.0.0");

        var reply = put("unknowntag/kit", "stable", "1.0.1", "");

        assertThat(code(reply)).isEqualTo("404 version-not-found");
        assertThat(reply.json().get("candidates").toString()).contains("1.0.0");
    }

    @Test
    void strangersReadWhatIsPublicAndChangeNothing() {
        app().push("tagguard/open", "1.0.0", "public", "one");
        app().push("tagguard/secret", "1.0.0", "private", "one");
        String stranger = app().secondOrganization("tagguards");

        assertThat(app().get(tag("tagguard/open", "latest"), stranger).status()).isEqualTo(200);
        assertThat(app().get(tag("tagguard/secret", "latest"), null).status()).isEqualTo(401);
        for (String path : List.of("", "/latest", "/latest/history")) {
            var hidden = app().get(bundle("tagguard/secret") + "/tags" + path, stranger);
            var missing = app().get(bundle("tagguard/nothere") + "/tags" + path, stranger);
            assertThat(hidden.status()).isEqualTo(404);
            assertThat(anonymized(hidden, "secret")).isEqualTo(anonymized(missing, "nothere"));
        }
        for (String repository : List.of("tagguard/open", "tagguard/secret")) {
            int expected = repository.endsWith("open") ? 403 : 404;
            String path = tag(repository, "latest");
            assertThat(app().send("PUT", path, stranger, "{\"version\": \"1.0.0\"}")
                            .status())
                    .isEqualTo(expected);
            assertThat(app().send("DELETE", path, stranger, null).status()).isEqualTo(expected);
            assertThat(app().post(path + ":rollback", stranger, "{}").status()).isEqualTo(expected);
        }
    }

    private static String anonymized(Reply reply, String name) {
        return reply.text().replace(name, "NAME").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }
}
