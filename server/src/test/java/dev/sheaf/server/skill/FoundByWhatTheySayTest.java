package dev.sheaf.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What skills say of themselves is what a bundle says where its publisher does not, and what it is found by.
class FoundByWhatTheySayTest extends OnEveryStack {
    private Reply push(String repository, String version, String more, Map<String, String> files) {
        var all = files.entrySet().stream()
                .map(file -> new PublishedSkills.File(
                        file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8), false));
        String body = PublishedSkills.body(version, "public", all);
        return app().post(
                        bundle(repository) + ":push", app().admin(), body.substring(0, body.length() - 1) + more + "}");
    }

    private JsonNode about(String repository) {
        return app().get(bundle(repository), null).json();
    }

    private static String skill(String description) {
        return "---\nname: the-name\ndescription: " + description
                + "\nlicense: MIT\nmetadata:\n  keywords: one, two\n---\n# Body\n";
    }

    @Test
    void aBundleSaysWhatItsSkillSays() {
        String before = push("said/kit", "1.0.0", "", Map.of("s/kit/SKILL.md", skill("First.")))
                .text();

        var about = about("said/kit");
        assertThat(about.get("name").stringValue()).isEqualTo("the-name");
        assertThat(about.get("description").stringValue()).isEqualTo("First.");
        assertThat(about.get("license").stringValue()).isEqualTo("MIT");
        assertThat(about.get("keywords").toString()).isEqualTo("[\"one\",\"two\"]");
        assertThat(push("said/kit", "1.0.0", "", Map.of("s/kit/SKILL.md", skill("First.")))
                        .status())
                .as("the same again, though the bundle says more by now: " + before)
                .isEqualTo(200);
        var config = app().get("/v2/said/kit/manifests/1.0.0", null)
                .json()
                .at("/config/digest")
                .stringValue();
        assertThat(app().get("/v2/said/kit/blobs/" + config, null).text()).doesNotContain("First", "the-name");

        push("said/kit", "1.1.0", "", Map.of("s/kit/SKILL.md", skill("Second.")));
        assertThat(about("said/kit").get("description").stringValue()).isEqualTo("Second.");
    }

    @Test
    void whatSomebodySaidStays() {
        push("said/told", "1.0.0", ", \"description\": \"Told.\"", Map.of("SKILL.md", skill("First.")));
        assertThat(about("said/told").get("description").stringValue()).isEqualTo("Told.");
        push("said/told", "1.1.0", "", Map.of("SKILL.md", skill("Second.")));
        assertThat(about("said/told").get("description").stringValue()).isEqualTo("Told.");

        push("said/edited", "1.0.0", "", Map.of("SKILL.md", skill("First.")));
        app().send("PATCH", bundle("said/edited"), app().admin(), "{\"description\": \"Edited.\", \"license\": null}");
        push("said/edited", "1.1.0", "", Map.of("SKILL.md", skill("Second.")));
        assertThat(about("said/edited").get("description").stringValue()).isEqualTo("Edited.");
    }

    /// What is published from working assets is packed with what the bundle says; what its files say is not
    /// that.
    @Test
    void whatFilesSayIsNotPacked() {
        push("said/packed", "1.0.0", "", Map.of("SKILL.md", skill("First.")));

        app().post(bundle("said/packed") + ":publish", app().admin(), "{\"version\": \"1.1.0\"}");

        var config = app().get("/v2/said/packed/manifests/1.1.0", null)
                .json()
                .at("/config/digest")
                .stringValue();
        assertThat(app().get("/v2/said/packed/blobs/" + config, null).text()).doesNotContain("First", "the-name");
        assertThat(about("said/packed").get("description").stringValue()).isEqualTo("First.");
    }

    @Test
    void aReadmeSaysItWhereThereAreManySkillsOrNone() {
        push(
                "said/readme",
                "1.0.0",
                "",
                Map.of(
                        "README.md",
                        "# The Title\n\n[![badge](x)](y)\n\n- a list\n\nWhat it\nis for.\n\nMore.\n",
                        "a.txt",
                        "a"));

        assertThat(about("said/readme").get("name").stringValue()).isEqualTo("The Title");
        assertThat(about("said/readme").get("description").stringValue()).isEqualTo("What it is for.");
    }

    @Test
    void aPublisherIsToldWhatProgramsForSkillsDoNotGet() {
        var warnings = push(
                        "said/warned",
                        "1.0.0",
                        "",
                        Map.of(
                                "a/twice/SKILL.md", "---\nname: twice\ndescription: d\n---\n",
                                "b/twice/SKILL.md", "---\nname: twice\ndescription: d\n---\n",
                                "skills/other/SKILL.md", "---\nname: wrong\ndescription: d\n---\n"))
                .json()
                .get("warnings");

        var told = new ArrayList<String>();
        warnings.forEach(warning -> told.add(warning.get("logicalPath").stringValue() + " "
                + warning.get("code").stringValue() + " "
                + warning.get("detail").stringValue()));
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "a/twice/SKILL.md skill clients do not get this skill: another skill of this bundle has"
                                + " the same name, twice",
                        "b/twice/SKILL.md skill clients do not get this skill: another skill of this bundle has"
                                + " the same name, twice",
                        "skills/other/SKILL.md skill line 2: name: \"wrong\" is not the name of the folder, \"other\"");
        app().post(bundle("said/warned") + ":publish", app().admin(), "{\"version\": \"1.1.0\"}");
        assertThat(app().get(bundle("said/warned") + "/versions/1.1.0", null).text())
                .contains("another skill of this bundle has the same name, twice");
    }

    // --- search ---

    private List<String> found(String words) {
        var found = new ArrayList<String>();
        app().get("/api/search?limit=50&q=" + words.replace(" ", "%20"), null)
                .json()
                .get("skills")
                .forEach(skill -> found.add(skill.get("id").stringValue()));
        found.removeIf(id -> id.startsWith("listing/") || id.startsWith("corpus/"));
        return found;
    }

    private String best(String words) {
        return app().get("/api/search?q=" + words.replace(" ", "%20"), null)
                .json()
                .at("/skills/0/id")
                .asString("nothing");
    }

    @Test
    void theTenAreFoundByTheirWordsBestFirst() throws Exception {
        for (String name : PublishedSkills.names()) {
            assertThat(PublishedSkills.pushOne(app(), "words/" + name, "1.0.0", "public", name)
                            .status())
                    .isEqualTo(201);
        }
        push(
                "words/notes",
                "1.0.0",
                "",
                Map.of(
                        "SKILL.md",
                        "---\nname: notes\ndescription: Notes.\n---\n"
                                + "Once somebody had a PDF with a form. A pod, a chart, an outage, a migration.\n"));

        assertThat(best("pdf-forms")).isEqualTo("words/pdf-forms/pdf-forms");
        assertThat(best("fill in pdf fields")).isEqualTo("words/pdf-forms/pdf-forms");
        assertThat(best("typography slides")).isEqualTo("words/brand-fonts/brand-fonts");
        assertThat(best("openapi pagination")).isEqualTo("words/api-docs/api-docs");
        assertThat(found("pdf")).contains("words/notes/notes");
        assertThat(found("tax form")).containsExactly("words/pdf-forms/pdf-forms");
        assertThat(found("pod does not start")).containsExactly("words/kubernetes-triage/kubernetes-triage");
        assertThat(found("blameless postmortem")).containsExactly("words/incident-report/incident-report");
        assertThat(found("CONCURRENTLY lock")).as("of its text").containsExactly("words/sql-review/sql-review");
        assertThat(found("用語集")).containsExactly("words/translate-ja/translate-ja");
        assertThat(found("paperwork")).as("a keyword").containsExactly("words/pdf-forms/pdf-forms");
        assertThat(found("matplotlib")).containsExactly("words/data-charts/data-charts");
        assertThat(found("nothing-has-this-word")).isEmpty();
        assertThat(found("")).isEmpty();
        var one =
                app().get("/api/search?q=pdf&owner=words&limit=1", null).json().at("/skills/0");
        assertThat(one.get("source").stringValue()).isEqualTo(app().url() + "/words/pdf-forms");
        assertThat(one.get("name").stringValue()).isEqualTo("pdf-forms");
        assertThat(app().get("/api/search?q=pdf&owner=nobody", null).json().get("skills"))
                .isEmpty();
        assertThat(app().get("/v1/hub/bundles?q=deduplicate%20spreadsheet", null)
                        .json()
                        .at("/data/0/slug")
                        .stringValue())
                .isEqualTo("spreadsheet-clean");
    }

    @Test
    void ofABundleWithManyThoseOfTheNameAreTold() {
        PublishedSkills.push(app(), "many/kit", "1.0.0", "public");

        assertThat(found("kit many charts")).containsExactly("many/kit/data-charts");
        assertThat(found("kit many")).as("words of the bundle's own name").hasSize(10);
        assertThat(found("many blameless")).as("a word of a text").hasSize(10);
        for (String limit : List.of("0", "-1", "x")) {
            assertThat(app().get("/api/search?q=kit&limit=" + limit, null).status())
                    .isEqualTo(422);
        }
    }

    @Test
    void whatIsPrivateOrYankedIsNotFound() {
        PublishedSkills.pushOne(app(), "unseen/private", "1.0.0", "private", "brand-fonts");
        PublishedSkills.pushOne(app(), "unseen/yanked", "1.0.0", "public", "brand-fonts");
        assertThat(found("unseen typography")).containsExactly("unseen/yanked/yanked");

        app().post(bundle("unseen/yanked") + "/versions/1.0.0:yank", app().admin(), "{\"reason\": \"no\"}");

        assertThat(found("unseen typography")).isEmpty();
    }

    // --- namespaces ---

    @Test
    void aNamespaceListsItsSkillsWhereItsOwnerWantsThat() {
        for (String name : Stream.of("sql-review", "pdf-forms").toList()) {
            PublishedSkills.pushOne(app(), "listing/" + name, "1.0.0", "public", name);
        }
        PublishedSkills.pushOne(app(), "listing/hidden", "1.0.0", "private", "api-docs");
        String index = "/listing/.well-known/agent-skills/index.json";
        String settings = "/v1/organizations/default/namespaces/listing";
        assertThat(app().get(index, null).status()).isEqualTo(404);
        String writer = app().key("listing-writer", "write");
        assertThat(app().send("PATCH", settings, writer, "{\"skillsIndex\": true}")
                        .status())
                .isEqualTo(403);

        var edited = app().send("PATCH", settings, app().admin(), "{\"skillsIndex\": true}");

        assertThat(edited.json().get("skillsIndex").booleanValue()).isTrue();
        for (String caller : Arrays.asList(null, app().admin())) {
            var skills = app().get(index, caller).json().get("skills");
            assertThat(skills).hasSize(2);
            assertThat(skills.at("/0/url").stringValue())
                    .isEqualTo("/listing/pdf-forms@1.0.0/.well-known/agent-skills/pdf-forms.tar.gz");
        }
        assertThat(app().get("/listing/.well-known/agent-skills/sql-review/checklist.md", null)
                        .text())
                .startsWith("- [ ] reversible");
        assertThat(app().get("/listing/.well-known/agent-skills/hidden/SKILL.md", null)
                        .status())
                .isEqualTo(404);
        assertThat(app().send(app().request("PATCH", settings, app().admin(), "{\"skillsIndex\": false}")
                                .header("If-Match", "\"other\""))
                        .status())
                .isEqualTo(412);
        app().send("PATCH", settings, app().admin(), "{\"skillsIndex\": false}");
        assertThat(app().get(index, null).status()).isEqualTo(404);
    }
}
