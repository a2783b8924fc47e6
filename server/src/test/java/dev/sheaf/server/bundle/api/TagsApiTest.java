package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
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

    @Test
    void aTagIsSetReadListedMovedAndRemoved() {
        push("tag/kit", "1.0.0", "1.1.0");

        var created = put("tag/kit", "stable", "1.0.0", "");
        var moved = put("tag/kit", "stable", "1.1.0", ", \"expectedVersion\": \"1.0.0\"");
        var read = app().get(tag("tag/kit", "stable"), app().admin());
        var strangers = app().get(tag("tag/kit", "stable"), null).as(TagStatus.class);
        var list = app().get(bundle("tag/kit") + "/tags", null).list(TagStatus.class);
        var removed = app().send("DELETE", tag("tag/kit", "stable"), app().admin(), null);

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(tag("tag/kit", "stable"));
        assertThat(moved.status()).isEqualTo(200);
        assertThat(read.json()).isEqualTo(moved.json());
        assertThat(strangers.updatedBy()).as("whose key it was").isEqualTo("tag");
        assertThat(read.header("ETag")).isEqualTo(moved.header("ETag")).isNotEmpty();
        assertThat(read.as(TagStatus.class).version()).isEqualTo("1.1.0");
        assertThat(read.as(TagStatus.class).digest()).startsWith("sha256:");
        assertThat(read.as(TagStatus.class).isProtected()).isFalse();
        assertThat(read.as(TagStatus.class).managed()).isFalse();
        assertThat(read.as(TagStatus.class).updatedBy()).startsWith("key:");
        assertThat(list).extracting(TagStatus::name).containsExactly("latest", "stable");
        assertThat(list.getFirst().managed()).isTrue();
        assertThat(removed.status()).isEqualTo(204);
        app().get(tag("tag/kit", "stable"), null).assertRefused("404 tag-not-found");
        app().send("DELETE", tag("tag/kit", "stable"), app().admin(), null).assertRefused("404 tag-not-found");
    }

    @Test
    void tagsComeInPages() {
        push("pages/kit", "1.0.0");
        for (String name : List.of("c", "a", "b")) {
            put("pages/kit", name, "1.0.0", "");
        }

        var first = app().get(bundle("pages/kit") + "/tags?limit=2", null).page(TagStatus.class);
        String cursor = first.meta().nextCursor();
        put("pages/kit", "a1", "1.0.0", "");
        var second = app().get(bundle("pages/kit") + "/tags?limit=2&cursor=" + cursor, null)
                .page(TagStatus.class);

        assertThat(first.data()).extracting(TagStatus::name).containsExactly("a", "b");
        assertThat(second.data()).extracting(TagStatus::name).containsExactly("c", "latest");
        assertThat(second.meta().hasMore()).isFalse();
    }

    @Test
    void rejectsWrongExpectedVersionAndNamesActualOne() {
        push("cas/kit", "1.0.0", "1.1.0", "1.2.0");
        put("cas/kit", "stable", "1.1.0", "");

        var moved = put("cas/kit", "stable", "1.2.0", ", \"expectedVersion\": \"1.0.0\"");
        var absent = put("cas/kit", "nowhere", "1.2.0", ", \"expectedVersion\": \"1.0.0\"");
        var unknown = put("cas/kit", "stable", "1.2.0", ", \"expectedVersion\": \"9.9.9\"");

        moved.assertRefused("409 tag-moved");
        assertThat(moved.json().get("expected").stringValue()).isEqualTo("1.0.0");
        assertThat(moved.json().get("actual").stringValue()).isEqualTo("1.1.0");
        assertThat(moved.json().get("tag").stringValue()).isEqualTo("stable");
        absent.assertRefused("409 tag-moved");
        unknown.assertRefused("409 tag-moved");
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
        var locked =
                put("guarded/kit", "stable", "1.1.0", ", \"protected\": true").as(TagStatus.class);

        var moved = put("guarded/kit", "stable", "1.2.0", "");
        var removed = app().send("DELETE", tag("guarded/kit", "stable"), app().admin(), null);
        var rolledBack = rollback("guarded/kit", "stable", "{}");
        var pushed = app().post(bundle("guarded/kit") + ":push", app().admin(), """
                {"version": "1.2.0", "name": "Test", "tags": ["stable"],
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "1.2.0"}]}""");
        var again = put("guarded/kit", "stable", "1.1.0", "");
        var lifted =
                put("guarded/kit", "stable", "1.2.0", ", \"protected\": false").as(TagStatus.class);

        assertThat(locked.isProtected()).isTrue();
        for (var refused : List.of(moved, removed, rolledBack, pushed)) {
            refused.assertRefused("409 tag-protected");
            assertThat(refused.json().get("tag").stringValue()).isEqualTo("stable");
        }
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.as(TagStatus.class).isProtected()).isTrue();
        assertThat(lifted.version()).isEqualTo("1.2.0");
        assertThat(lifted.isProtected()).isFalse();
    }

    @Test
    void latestIsPinnedUntilItIsDeleted() {
        push("pin/kit", "1.0.0", "1.1.0");
        var managed = app().send("DELETE", tag("pin/kit", "latest"), app().admin(), null);

        var pinned = put("pin/kit", "latest", "1.0.0", "").as(TagStatus.class);
        push("pin/kit", "2.0.0");
        String whilePinned = resolved("pin/kit", "");
        var deleted = app().send("DELETE", tag("pin/kit", "latest"), app().admin(), null);

        managed.assertRefused("409 conflict");
        assertThat(pinned.managed()).isFalse();
        assertThat(whilePinned).isEqualTo("1.0.0");
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(resolved("pin/kit", "")).isEqualTo("2.0.0");
        assertThat(app().get(tag("pin/kit", "latest"), null).as(TagStatus.class).managed())
                .isTrue();
    }

    @Test
    void aYankMovesAPinnedLatestAndProtectedTagsToo() {
        push("yanked/kit", "1.0.0", "1.1.0");
        put("yanked/kit", "latest", "1.0.0", ", \"protected\": true");
        put("yanked/kit", "stable", "1.1.0", ", \"protected\": true");

        app().post(bundle("yanked/kit") + "/versions/1.0.0:yank", app().admin(), "{}");
        var latest = app().get(tag("yanked/kit", "latest"), null).as(TagStatus.class);
        app().post(bundle("yanked/kit") + "/versions/1.1.0:yank", app().admin(), "{}");

        assertThat(latest.version()).isEqualTo("1.1.0");
        assertThat(latest.managed()).isTrue();
        assertThat(latest.isProtected()).isFalse();
        assertThat(app().get(bundle("yanked/kit") + "/tags", null).list(TagStatus.class))
                .isEmpty();
        put("yanked/kit", "stable", "1.1.0", "").assertRefused("409 conflict");
        var history = app().get(tag("yanked/kit", "stable") + "/history", null).page(TagHistoryEntry.class);
        assertThat(history.data().getFirst().newDigest()).isNull();
        rollback("yanked/kit", "stable", "{}").assertRefused("409 conflict");
    }

    @Test
    void historyTellsTheMovesOfAYankFromThoseOfPeople() {
        push("told/kit", "1.0.0", "1.1.0");
        put("told/kit", "stable", "1.0.0", "");
        put("told/kit", "stable", "1.1.0", "");

        app().post(bundle("told/kit") + "/versions/1.1.0:yank", app().admin(), "{}");
        var yanked = app().get(tag("told/kit", "stable") + "/history", null).list(TagHistoryEntry.class);
        app().post(bundle("told/kit") + "/versions/1.1.0:unyank", app().admin(), "{}");
        var restored = app().get(tag("told/kit", "stable") + "/history", null).list(TagHistoryEntry.class);

        assertThat(yanked).extracting(TagHistoryEntry::newVersion).containsExactly("1.0.0", "1.1.0", "1.0.0");
        assertThat(yanked).extracting(TagHistoryEntry::cause).containsExactly("yank", null, null);
        assertThat(yanked).extracting(TagHistoryEntry::newVersionYanked).containsExactly(false, true, false);
        assertThat(restored).extracting(TagHistoryEntry::cause).containsExactly("yank", null, null);
        assertThat(restored).extracting(TagHistoryEntry::newVersionYanked).containsOnly(false);
    }

    @Test
    void historyListsEveryMoveAndRollbackUndoesIt() {
        push("past/kit", "1.0.0", "1.1.0", "1.2.0");
        for (String version : List.of("1.0.0", "1.1.0", "1.1.0", "1.2.0")) {
            put("past/kit", "stable", version, "");
        }

        var history = app().get(tag("past/kit", "stable") + "/history", null).list(TagHistoryEntry.class);
        var back = rollback("past/kit", "stable", "{}").as(TagStatus.class);
        var undone = app().send("POST", tag("past/kit", "stable") + ":rollback", app().admin(), null)
                .as(TagStatus.class);
        var named = rollback("past/kit", "stable", """
                {"entry": "%s", "expectedVersion": "1.2.0"}""".formatted(history.get(2).id()))
                .as(TagStatus.class);

        assertThat(history).extracting(TagHistoryEntry::newVersion).containsExactly("1.2.0", "1.1.0", "1.0.0");
        assertThat(history).extracting(TagHistoryEntry::oldVersion).containsExactly("1.1.0", "1.0.0", null);
        assertThat(history.getFirst().by()).isEqualTo("past");
        assertThat(app().get(tag("past/kit", "stable") + "/history", app().admin())
                        .list(TagHistoryEntry.class)
                        .getFirst()
                        .by())
                .startsWith("key:");
        assertThat(back.version()).isEqualTo("1.1.0");
        assertThat(undone.version()).isEqualTo("1.2.0");
        assertThat(named.version()).isEqualTo("1.0.0");
        var page =
                app().get(tag("past/kit", "stable") + "/history?limit=4", null).page(TagHistoryEntry.class);
        var rest = app().get(
                        tag("past/kit", "stable") + "/history?limit=4&cursor="
                                + page.meta().nextCursor(),
                        null)
                .page(TagHistoryEntry.class);
        assertThat(page.data())
                .extracting(TagHistoryEntry::newVersion)
                .containsExactly("1.0.0", "1.2.0", "1.1.0", "1.2.0");
        assertThat(rest.data()).extracting(TagHistoryEntry::newVersion).containsExactly("1.1.0", "1.0.0");
    }

    @Test
    void rejectsRollbackWithoutTarget() {
        push("stuck/kit", "1.0.0", "1.1.0");
        put("stuck/kit", "stable", "1.0.0", "");

        rollback("stuck/kit", "stable", "{}").assertRefused("409 conflict");
        rollback("stuck/kit", "never", "{}").assertRefused("404 tag-not-found");
        rollback("stuck/kit", "stable", """
                {"entry": "01890000-0000-7000-8000-000000000001"}""").assertRefused("404 not-found");
        rollback("stuck/kit", "stable", """
                {"entry": "first"}""").assertRefused("422 validation-failed");
        put("stuck/kit", "stable", "1.1.0", "");
        rollback("stuck/kit", "stable", """
                {"expectedVersion": "1.0.0"}""").assertRefused("409 tag-moved");
        app().get(tag("stuck/kit", "never") + "/history", null).assertRefused("404 tag-not-found");
    }

    @Test
    void aDeletedTagComesBackByRollback() {
        push("revive/kit", "1.0.0");
        put("revive/kit", "stable", "1.0.0", "");
        app().send("DELETE", tag("revive/kit", "stable"), app().admin(), null);

        var revived = rollback("revive/kit", "stable", "{}").as(TagStatus.class);

        assertThat(revived.version()).isEqualTo("1.0.0");
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
    void rejectsWrongMemberByName(String body, String pointer) {
        app().push("wrongtag/kit", "1.0.0", "public", "one");

        var reply = put("wrongtag/kit", "stable", body);

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().field()).isEqualTo(pointer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "1.0.0_b", "2.0.0-rc.1", "v1.0.1", "1.1", "2", "2.x", "-a", "a%20b"})
    void rejectsTagNamedLikeVersionOrForeignRange(String name) {
        app().push("likeversion/kit", "1.0.0", "public", "one");

        put("likeversion/kit", name, "1.0.0", "").assertRefused("422 validation-failed");
    }

    @Test
    void rejectsUnknownVersion() {
        push("unknowntag/kit", "1.0.0");

        var reply = put("unknowntag/kit", "stable", "1.0.1", "");

        reply.assertRefused("404 version-not-found");
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
            assertThat(hidden.without("secret")).isEqualTo(missing.without("nothere"));
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
}
