package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.DeletedBundle;
import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrashApiTest extends OnEveryStack {
    private static final String PATH = "/v1/organizations/default/trash";

    private void delete(String bundle, String body) {
        assertThat(app().push(bundle, "1.0.0", "private", "# x").status()).isEqualTo(201);
        assertThat(app().send("DELETE", bundle(bundle), app().admin(), body).status())
                .isEqualTo(204);
    }

    private List<String> listed() {
        return app().get(PATH + "?limit=100", app().admin()).list(DeletedBundle.class).stream()
                .map(DeletedBundle::ref)
                .toList();
    }

    @Test
    void listsWhatCanBeRestoredWithItsReasonAndEnd() {
        delete("trash/one", "{\"reason\": \"replaced by <two>\"}");

        var found = app().get(PATH + "?limit=100", app().admin()).list(DeletedBundle.class).stream()
                .filter(bundle -> bundle.ref().equals("trash/one"))
                .findFirst()
                .orElseThrow();

        assertThat(found.reason()).isEqualTo("replaced by <two>");
        assertThat(found.deletedBy()).startsWith("key:");
        assertThat(found.versionCount()).isEqualTo(1);
        assertThat(found.restorableUntil()).isEqualTo(found.deletedAt().plus(Duration.ofDays(30)));
        app().post(bundle("trash/one") + ":restore", app().admin(), "{}");
        assertThat(listed()).doesNotContain("trash/one");
    }

    @Test
    void theLastDeletedStandsFirstAndPagesFollow() {
        for (String name : List.of("paged/a", "paged/b", "paged/c")) {
            delete(name, "{}");
            pass(Duration.ofMinutes(1));
        }
        var seen = new ArrayList<String>();
        String cursor = "";
        do {
            var page = app().get(PATH + "?limit=1" + cursor, app().admin()).json();
            seen.add(page.get("data").get(0).get("ref").stringValue());
            var next = page.get("meta").get("nextCursor");
            cursor = next == null || next.isNull() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());

        assertThat(seen).containsSubsequence("paged/c", "paged/b", "paged/a").doesNotHaveDuplicates();
        assertThat(app().get(PATH + "?cursor=x", app().admin()).status()).isEqualTo(400);
    }

    @Test
    void afterThirtyDaysNothingIsLeft() {
        delete("gone/kit", "{}");
        pass(Duration.ofDays(30).minusSeconds(5));
        assertThat(listed()).contains("gone/kit");
        pass(Duration.ofSeconds(6));
        assertThat(listed()).doesNotContain("gone/kit");
        app().purgeDue();
        assertThat(listed()).doesNotContain("gone/kit");
    }

    @Test
    void othersSeeNothingOfIt() {
        delete("mine/kit", "{}");
        String stranger = app().secondOrganization("trashers");

        assertThat(app().get("/v1/organizations/trashers/trash", stranger).list(DeletedBundle.class))
                .isEmpty();
        app().get(PATH, stranger).assertRefused("404 not-found");
        assertThat(app().get(PATH, app().key("trash-writer", "write")).status()).isEqualTo(403);
        String part = app().secret("""
                {"name": "trash-part", "scopes": ["admin"], "restrictions": {"namespaces": ["mine"]}}""");
        app().get(PATH, part).assertRefused("403 forbidden");
        assertThat(app().get(PATH, null).status()).isEqualTo(401);
    }
}
