package dev.sheaf.server.bundle.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tags and their history, and moving them.
class TagPagesTest extends OnConsole {
    @Override
    public void prepare() {
        app().push("acme/kit", "1.0.0", "public", "# One");
        app().push("acme/kit", "2.0.0", "public", "# Two");
    }

    private String version(String tag) {
        return app().get("/v1/namespaces/acme/bundles/kit/tags/" + tag, null)
                .json()
                .get("version")
                .stringValue();
    }

    @Test
    void aTagIsMadeMovedRolledBackAndDeleted() {
        try (var person = person("tags@acme.test", "default", "publisher")) {
            var list = person.open(at("/acme/kit/tags"));
            var made = person.submit(list, "/acme/kit/tags\"", Map.of("name", "stable", "version", "1.0.0"));
            assertThat(made.place().getPath()).isEqualTo("/acme/kit/tags/stable");
            assertThat(made.html()).contains("The tag stable points to 1.0.0.");

            var moved = person.submit(made, "/tags/stable\"", Map.of("version", "2.0.0"));
            assertThat(moved.html()).contains("stable points to 2.0.0.");
            assertThat(version("stable")).isEqualTo("2.0.0");

            var back = person.submit(moved, "/tags/stable/rollback", Map.of());
            assertThat(back.html()).contains("stable points to its previous version again.");
            assertThat(version("stable")).isEqualTo("1.0.0");

            var asked = person.follow(back, "/tags/stable/delete");
            var gone = person.submit(asked, "/delete", Map.of());
            assertThat(gone.html()).contains("The tag stable is deleted.");
            assertThat(app().get("/v1/namespaces/acme/bundles/kit/tags/stable", null)
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void formsOfferTheVersionsToWhichATagCanPoint() {
        app().push("acme/offered", "1.0.0", "public", "# One");
        app().push("acme/offered", "1.1.0", "public", "# Two");
        app().post("/v1/namespaces/acme/bundles/offered/versions/1.0.0:yank", app().admin(), "{}");
        try (var writer = person("offers@acme.test", "default", "publisher");
                var reader = person("offered@acme.test", "default", "reader")) {
            for (String path : List.of("/acme/offered/tags", "/acme/offered/tags/latest")) {
                assertThat(writer.open(at(path)).html())
                        .contains("list=\"choices-version\"", "<option value=\"1.1.0\">")
                        .doesNotContain("<option value=\"1.0.0\">");
                assertThat(reader.open(at(path)).html()).doesNotContain("<datalist");
            }
        }
    }

    @Test
    void aVersionWithManyTagsNamesTheFirst() {
        app().push("acme/tagged", "1.0.0", "public", "# One");
        for (int i = 10; i < 22; i++) {
            app().send(
                            "PUT",
                            "/v1/namespaces/acme/bundles/tagged/tags/t" + i,
                            app().admin(),
                            "{\"version\": \"1.0.0\"}");
        }
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/acme/tagged/versions")).html()) // with latest, there are 13
                    .contains(">t18<", "and 3 more<span")
                    .doesNotContain(">t19<");
        }
    }

    @Test
    void aProtectedTagStaysAndSaysWhy() {
        try (var person = person("protects@acme.test", "default", "publisher")) {
            var made = person.submit(
                    person.open(at("/acme/kit/tags")), "/acme/kit/tags\"", Map.of("name", "lts", "version", "1.0.0"));
            var held = person.submit(made, "/protection", Map.of());
            assertThat(held.html()).contains("lts is protected", "Lift the protection of lts");

            var refused = person.submit(held, "/tags/lts\"", Map.of("version", "2.0.0"));

            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.html()).contains("Nothing was changed.", "value=\"2.0.0\"");
            assertThat(version("lts")).isEqualTo("1.0.0");
            assertThat(person.submit(refused, "/protection", Map.of()).html()).contains("lts is no longer protected");
        }
    }

    @Test
    void theHistoryNamesTheYankAndOffersNoWayBackToIt() {
        app().push("acme/past", "1.0.0", "public", "# One");
        app().push("acme/past", "1.1.0", "public", "# Two");
        try (var person = person("past@acme.test", "default", "publisher")) {
            var made = person.submit(
                    person.open(at("/acme/past/tags")),
                    "/acme/past/tags\"",
                    Map.of("name", "stable", "version", "1.1.0"));
            app().post("/v1/namespaces/acme/bundles/past/versions/1.1.0:yank", app().admin(), "{}");

            var page = person.open(made.place().toString()).html();

            assertThat(page)
                    .contains("by the yank of <span class=\"u\">1.1.0</span>", "Yanked</span>")
                    .doesNotContain("Roll back to");
        }
    }

    @Test
    void whatIsWrongIsSaidBesideTheField() {
        try (var person = person("wrong@acme.test", "default", "publisher")) {
            var list = person.open(at("/acme/kit/tags"));
            for (String name : new String[] {"<script>alert(1)</script>", "x".repeat(2_000), ""}) {
                var refused = person.submit(list, "/acme/kit/tags\"", Map.of("name", name, "version", "1.0.0"));
                assertThat(refused.status()).as(name).isEqualTo(422);
                assertThat(refused.html()).contains("Nothing was changed.").doesNotContain("<script>alert");
            }
            var refused = person.submit(list, "/acme/kit/tags\"", Map.of("name", "fine", "version", "not one"));
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.html()).contains("value=\"fine\"", "value=\"not one\"", "id=\"error-version\"");
        }
    }

    @Test
    void whoMayOnlyReadIsShownNoForms() {
        try (var reader = person("reader@acme.test", "default", "reader")) {
            for (String path : new String[] {"/acme/kit/tags", "/acme/kit/tags/latest"}) {
                assertThat(reader.open(at(path)).html()).doesNotContain("action=\"/acme/kit/tags");
            }
            assertThat(reader.post(at("/acme/kit/tags"), "name=x&version=1.0.0").status())
                    .isEqualTo(403);
        }
    }

    @Test
    void aFormThatNoPageHadChangesNothing() {
        try (var person = person("token@acme.test", "default", "owner")) {
            for (String rest : new String[] {"", "/protection", "/rollback", "/delete"}) {
                assertThat(person.post(at("/acme/kit/tags/latest" + rest), "version=1.0.0")
                                .status())
                        .as(rest)
                        .isEqualTo(403);
            }
            assertThat(version("latest")).isEqualTo("2.0.0");
        }
    }
}
