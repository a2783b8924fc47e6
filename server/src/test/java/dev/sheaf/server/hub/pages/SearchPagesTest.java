package dev.sheaf.server.hub.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The search page: filters, skills, marked words, badges, and what it says if nothing is found.
class SearchPagesTest extends OnConsole {
    private static final String SKILL = "---\\nname: %s\\ndescription: %s\\nallowed-tools: %s\\n---\\n# Text";

    private static String asset(String path, String name, String description, String tools) {
        return "{\"logicalPath\": \"%s\", \"contentText\": \"%s\"}"
                .formatted(path, SKILL.formatted(name, description, tools));
    }

    private void push(String repository, String license, String... assets) {
        String path = "/v1/namespaces/" + repository.replace("/", "/bundles/");
        var pushed = app().post(path + ":push", app().admin(), """
                        {"visibility": "public", "version": "1.0.0", "manifest": [%s]}""".formatted(String.join(", ", assets)));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        app().send("PATCH", path, app().admin(), "{\"license\": \"" + license + "\"}");
    }

    @Override
    public void prepare() {
        push(
                "acme/otter-kit",
                "MIT",
                asset("skills/sorting/SKILL.md", "sorting", "Sorts otters & <i>others</i>.", "Bash(a:*)"),
                asset("skills/other/SKILL.md", "other", "Something.", "Read"));
        push(
                "lutra/otter",
                "<b>mine</b>",
                asset("SKILL.md", "otter", "About an OTTER, ottère, \u202Eand more.", "Read"));
        app().post("/v1/hub/bundles/lutra/otter:deprecate", app().admin(), """
                {"message": "Old", "replacement": "acme/otter-kit"}""");
        app().push("acme/zebra-private", "1.0.0", "private", "# Hidden zebra");
    }

    @Test
    void theFirstPageTellsWhatThereIs() {
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/")).html())
                    .contains("in versions that never change", "Newest", "href=\"/acme/otter-kit\"")
                    .doesNotContain("Best match", "zebra", " found</p>");
        }
    }

    @Test
    void aSearchShowsMarksBadgesAndSkills() {
        try (var anybody = browser()) {
            String html = anybody.open(at("/?q=otter")).html();

            assertThat(html)
                    .contains(
                            "<h1>“<span class=\"u\">otter</span>”</h1>",
                            "2 bundles found",
                            "Best match",
                            "<span class=\"soft\">acme/</span><mark>otter</mark>-kit</a>",
                            "Sorts <mark>otter</mark>s &amp; &lt;i&gt;others&lt;/i&gt;.",
                            "Deprecated: use acme/otter-kit",
                            "sheaf add 'acme/otter-kit#sorting'",
                            "href=\"/acme/otter-kit/versions/1.0.0/files/skills/sorting/SKILL.md\"",
                            "&lt;b&gt;mine&lt;/b&gt;")
                    .doesNotContain("#other", "<i>others", "<b>mine", "\u202E", "Not signed");
        }
    }

    @Test
    void filtersCanBeChosenAndTakenAway() {
        try (var anybody = browser()) {
            var all = anybody.open(at("/?q=otter")).html();
            var mit = anybody.open(at("/?q=otter&license=MIT"));

            assertThat(all).contains("href=\"/?q=otter&amp;license=MIT\"", "href=\"/?q=otter&amp;tool=Bash\"");
            assertThat(mit.html())
                    .contains(
                            "License MIT</span><span class=\"hide\">, take away</span>",
                            "1 bundle found",
                            "<input type=\"hidden\" name=\"license\" value=\"MIT\">",
                            "GET /v1/hub/bundles?q=otter&amp;sort=relevance&amp;license=MIT&amp;facets=true",
                            "sheaf search otter --license MIT")
                    .doesNotContain("href=\"/lutra/otter\"");
            assertThat(anybody.open(at("/?type=car")).status()).isEqualTo(422);
        }
    }

    @Test
    void flagsAreChosenTogether() {
        push("acme/walrus-calm", "MIT", asset("SKILL.md", "walrus-calm", "Rests.", "Read"));
        push("acme/walrus-run", "MIT", asset("SKILL.md", "walrus-run", "Runs.", "Read"), """
                {"logicalPath": "run.sh", "contentText": "#!/bin/sh\\necho hello"}""");
        try (var anybody = browser()) {
            var all = anybody.open(at("/?q=walrus"));
            var clean = anybody.follow(all, "clean=true");
            var both = anybody.follow(clean, "scripts=some");

            assertThat(all.html())
                    .contains(
                            "<span class=\"u\">Checks clean</span><span class=\"num\">2</span>",
                            "<span class=\"u\">Has scripts</span><span class=\"num\">1</span>")
                    .doesNotContain("From a workflow", "<span class=\"u\">Signed</span>");
            assertThat(both.html())
                    .contains(
                            "1 bundle found",
                            "Runs scripts</span></span>",
                            "Checks clean</span><span class=\"hide\">, take away</span>",
                            "Has scripts</span><span class=\"hide\">, take away</span>",
                            "sheaf search walrus --clean --scripts some",
                            "clean=true&amp;scripts=some&amp;facets=true",
                            "<input type=\"hidden\" name=\"clean\" value=\"true\">");
            assertThat(anybody.open(at("/?clean=perhaps")).status()).isEqualTo(422);
            assertThat(anybody.open(at("/?clean=false")).html()).contains("in versions that never change");
        }
    }

    @Test
    void whatIsNotFoundIsCorrectedOrSought() {
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/?q=otetr")).html())
                    .contains(
                            "Nothing is called or about “otetr”",
                            "Did you mean <a class=\"u\" href=\"/?q=otter\"><b>otter</b></a>? It has 2 results.",
                            "Results for “<span class=\"u\">otter</span>”");
            assertThat(anybody.open(at("/?q=zebr&type=skill")).html()).doesNotContain("Did you mean", "zebra");
            assertThat(anybody.open(at("/?q=otter&license=none")).html())
                    .contains("You also asked for filters.", "<a href=\"/?q=otter\">2 bundles</a>");
            assertThat(anybody.open(at("/?q=%3Cscript%3Ealert(1)")).html()).doesNotContain("<script>alert");
        }
    }

    @Test
    void aPublisherIsShownWithVersionsAndBadges() {
        try (var anybody = browser();
                var member = person("badges@acme.test", "default", "reader")) {
            assertThat(anybody.open(at("/lutra")).html())
                    .contains("1.0.0", "Deprecated: use acme/otter-kit", "pulls in 30 days");
            assertThat(member.open(at("/acme")).html()).contains("href=\"/acme/zebra-private\"", "Private");
        }
    }

    @Test
    void starsAreOnAPageOfTheAccount() {
        try (var reader = person("starred@acme.test", "default", "reader")) {
            assertThat(reader.open(at("/account/stars")).html()).contains("No star yet");
            reader.submit(reader.open(at("/acme/otter-kit")), "/star", Map.of());
            assertThat(reader.open(at("/account/stars")).html()).contains("href=\"/acme/otter-kit\"");
        }
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/account/stars")).place().getPath()).isEqualTo("/login");
        }
    }

    @Test
    void membersReadWherePrivateBundlesAre() {
        try (var anybody = browser();
                var member = person("seeks@acme.test", "default", "reader")) {
            assertThat(member.open(at("/?q=zebra")).html())
                    .contains("Only public bundles are searched.", "href=\"/organizations/default\"")
                    .doesNotContain("href=\"/acme/zebra-private\"");
            assertThat(member.open(at("/?q=otter")).html()).contains("Only public bundles are searched.");
            assertThat(anybody.open(at("/?q=zebra")).html()).doesNotContain("Only public bundles");
        }
    }

    @Test
    void noToolsMeansThatASkillNamesNone() {
        push(
                "acme/plain",
                "MIT",
                "{\"logicalPath\": \"SKILL.md\", \"contentText\": \"---\\nname: plain\\ndescription: Plain.\\n---\\n# Text\"}");
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/")).html()).contains("none named");
            assertThat(anybody.open(at("/?tool=none")).html()).contains("No allowed-tools in a skill</span>");
        }
    }
}
