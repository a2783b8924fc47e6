package dev.sheaf.server.bundle.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
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
