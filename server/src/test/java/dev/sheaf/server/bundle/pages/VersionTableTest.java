package dev.sheaf.server.bundle.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Version;
import dev.sheaf.server.console.OnConsole;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The versions of a bundle as a table for people who are signed in. Browsers would store it: by plain HTTP alone.
class VersionTableTest extends OnConsole {
    @Override
    public boolean isByHand() {
        return false;
    }

    @Test
    void versionsAreATable() {
        for (int i = 0; i < 3; i++) {
            app().push("acme/table", "1.0." + i, "public", "# Table " + i);
        }
        app().post(
                        "/v1/namespaces/acme/bundles/table/versions/1.0.1:yank",
                        app().admin(),
                        "{\"reason\": \"bad, or so\"}");
        try (var reader = person("table@acme.test", "default", "reader")) {
            assertThat(reader.open(at("/acme/table/versions?state=yanked")).html())
                    .contains("href=\"/acme/table/versions.csv?state=yanked\"");

            var all = reader.open(at("/acme/table/versions.csv")).html().lines().toList();

            assertThat(all).hasSize(4);
            assertThat(all.getFirst()).startsWith("\"version\",\"state\",\"tags\"");
            assertThat(all.get(1)).startsWith("\"1.0.2\",\"usable\",\"latest\",");
            assertThat(all.get(2)).startsWith("\"1.0.1\",\"yanked\",\"\",\"Yanked: bad, or so\"");
            assertThat(reader.open(at("/acme/table/versions.csv?state=yanked"))
                            .html()
                            .lines())
                    .hasSize(2);
            assertThat(reader.open(at("/acme/table/versions.csv?q=x")).html().lines())
                    .hasSize(1);
        }
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/acme/table/versions")).html()).doesNotContain("versions.csv");
        }
    }

    @Test
    void thatOfAHiddenBundleIsMissing() {
        app().push("acme/hidden-table", "1.0.0", "private", "# Hidden");
        try (var stranger = person("stranger@acme.test", null, null)) {
            assertThat(stranger.open(at("/acme/hidden-table/versions.csv")).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void allTagsAreThereAndALongMessageIsMarked() {
        app().post("/v1/namespaces/acme/bundles/tagged-table:push", app().admin(), """
                {"visibility": "public", "version": "1.0.0", "message": "%s",
                 "manifest": [{"logicalPath": "a.md", "contentText": "A"}]}""".formatted("news ".repeat(100)));
        for (int i = 0; i < 203; i++) {
            app().send(
                            "PUT",
                            "/v1/namespaces/acme/bundles/tagged-table/tags/tag-" + (1_000 + i),
                            app().admin(),
                            "{\"version\": \"1.0.0\"}");
        }
        try (var reader = person("tagged@acme.test", "default", "reader")) {
            String table = reader.open(at("/acme/tagged-table/versions.csv")).html();

            assertThat(table)
                    .contains("tag-1000 ", "tag-1202")
                    .contains("news…\"")
                    .doesNotContain("Only the");
        }
    }

    @Test
    void aTableThatLacksVersionsSaysSo() {
        app().push("acme/endless-table", "1.0.0", "public", "# Table");
        app().database().write(tx -> {
            var first = tx.one(
                    "SELECT id FROM version WHERE bundle_id = (SELECT b.id FROM bundle b JOIN repository r"
                            + " ON r.id = b.repository_id WHERE r.name = 'endless-table')",
                    UUID.class);
            var copies = tx.handle().prepareBatch("""
                    INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,
                                         published_at)
                    SELECT :id, bundle_id, :version, :version, :key, 1, manifest_id, state, size, published_at
                    FROM version WHERE id = :first
                    """);
            for (int i = 1; i <= 10_000; i++) {
                var version = Version.parse("1." + i + ".0");
                copies.bind("id", UUID.randomUUID().toString())
                        .bind("version", version.toString())
                        .bind("key", version.sortKey())
                        .bind("first", first.toString())
                        .add();
            }
            return copies.execute().length;
        });
        try (var reader = person("endless@acme.test", "default", "reader")) {
            var rows = reader.open(at("/acme/endless-table/versions.csv"))
                    .html()
                    .lines()
                    .toList();

            assertThat(rows).hasSize(10_002);
            assertThat(rows.get(10_000)).startsWith("\"1.1.0\"");
            assertThat(rows.getLast())
                    .isEqualTo("\"Only the highest 10000 versions. The others are at"
                            + " /v1/namespaces/acme/bundles/endless-table/versions?limit=100\"" + ",\"\"".repeat(11));
            assertThat(reader.open(at("/acme/endless-table/versions.csv?q=1.1."))
                            .html())
                    .doesNotContain("Only the");
        }
    }

    @Test
    void aLongTableIsWhole() {
        for (int i = 0; i < 103; i++) {
            app().push("acme/long-table", "1.0." + i, "public", "# Table " + i);
        }
        try (var reader = person("long@acme.test", "default", "reader")) {
            var versions = reader.open(at("/acme/long-table/versions.csv"))
                    .html()
                    .lines()
                    .skip(1)
                    .map(line -> line.substring(0, line.indexOf(',')))
                    .toList();

            assertThat(versions).doesNotHaveDuplicates().hasSize(103).endsWith("\"1.0.0\"");
        }
    }
}
