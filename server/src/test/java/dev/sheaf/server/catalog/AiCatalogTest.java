package dev.sheaf.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The AI Catalog of a registry that has one.
class AiCatalogTest extends OnEveryStack {
    private static final String SITE = "https://sheaf.example";
    private static final String ROOT = "/.well-known/ai-catalog.json";

    @Override
    public Map<String, String> settings() {
        return Map.of("public-url", SITE, "ai-catalog", "true");
    }

    private static PublishedSkills.File skill(String folder, String name) {
        String text = "---\nname: " + name + "\ndescription: Does " + name + ".\n---\n";
        return new PublishedSkills.File(folder + "SKILL.md", text.getBytes(StandardCharsets.UTF_8), false);
    }

    private void push(String repository, String version, String visibility, PublishedSkills.File... files) {
        var body = PublishedSkills.body(version, visibility, Stream.of(files));
        var reply = app().post(bundle(repository) + ":push", app().admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private Reply get(String path) {
        var reply = app().get(path, null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private List<JsonNode> entries(String path) {
        return StreamSupport.stream(get(path).json().get("entries").spliterator(), false)
                .toList();
    }

    private List<String> named(String path) {
        return entries(path).stream()
                .map(entry -> entry.get("identifier").stringValue()
                        + (entry.has("version") ? " " + entry.get("version").stringValue() : ""))
                .toList();
    }

    @Test
    void theRootNamesTheSearchAndNamespacesOfPublicBundles() {
        push("open/kit", "1.0.0", "public", skill("", "kit"));
        push("shut/kit", "1.0.0", "private", skill("", "kit"));

        var root = get(ROOT);

        assertThat(root.header("Content-Type")).isEqualTo("application/ai-catalog+json");
        assertThat(root.header("Cache-Control")).isEqualTo("public, max-age=30");
        assertThat(root.header("ETag")).isNotEmpty();
        assertThat(root.json().get("specVersion").stringValue()).isEqualTo("1.0");
        assertThat(root.json().at("/host/identifier").stringValue()).isEqualTo("sheaf.example");
        assertThat(named(ROOT)).startsWith("urn:air:sheaf.example:ard").contains("urn:air:sheaf.example:open");
        assertThat(root.text()).doesNotContain("shut");
        assertThat(get("/.well-known/ard.json").text()).isEqualTo(root.text());
        assertThat(entries(ROOT))
                .allSatisfy(entry -> assertThat(entry.get("type")).isEqualTo(entry.get("mediaType")));
        assertThat(app().get("/ard/catalog/shut", app().admin()).status()).isEqualTo(404);
        assertThat(app().get("/ard/catalog/nobody", null).problem().detail()).contains("no public bundle");
    }

    /// The schema is that of ards-project/ard-spec (Apache License 2.0), `spec/schemas/ai-catalog.schema.json` of
    /// 2026-07-15.
    @Test
    void everyDocumentFitsTheSchema() throws Exception {
        push("fit/kit", "1.0.0", "public", skill("skills/a/", "a"), skill("skills/b/", "b"));
        push("fit/plain", "1.0.0", "public", skill("", "plain"));
        var schema = SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12,
                        builder -> builder.schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build()))
                .getSchema(Files.readString(Path.of("src/test/resources/ard/ai-catalog.schema.json")));

        for (String path : List.of(ROOT, "/ard/catalog/fit")) {
            assertThat(schema.validate(get(path).text(), InputFormat.JSON))
                    .as(path)
                    .isEmpty();
        }
        assertThat(schema.validate("{\"specVersion\": \"1.0\", \"entries\": [{}]}", InputFormat.JSON))
                .as("the schema refuses an entry without a name")
                .isNotEmpty();
    }

    @Test
    void aNamespaceListsVersionsAsPluginsAndTheirSkills() {
        push("both/kit", "1.0.0", "public", skill("skills/a/", "a"));
        push("both/kit", "1.1.0+b", "public", skill("skills/a/", "a"), skill("skills/b/", "b"));
        push("both/notes", "1.0.0", "public", new PublishedSkills.File("README.md", new byte[] {'#'}, false));
        push("both/hidden", "1.0.0", "private", skill("", "hidden"));

        assertThat(named("/ard/catalog/both"))
                .containsExactly(
                        "urn:air:sheaf.example:both:kit 1.1.0+b",
                        "urn:air:sheaf.example:both:kit:a 1.1.0+b",
                        "urn:air:sheaf.example:both:kit:b 1.1.0+b",
                        "urn:air:sheaf.example:both:kit 1.0.0",
                        "urn:air:sheaf.example:both:kit:a 1.0.0");
        var entries = entries("/ard/catalog/both");
        assertThat(entries.get(1).get("description").stringValue()).isEqualTo("Does a.");
        assertThat(entries.get(1).get("type").stringValue()).isEqualTo("application/agent-skills+zip");
        assertThat(entries.get(0).get("type").stringValue()).isEqualTo("application/agent-plugins+zip");
        assertThat(entries).allSatisfy(entry -> {
            String url = entry.get("url").stringValue();
            assertThat(url).startsWith(SITE + "/both/kit@");
            assertThat(app().get(url.substring(SITE.length()), null).status()).isEqualTo(200);
        });
    }

    @Test
    void aChangeIsInTheNextAnswer() {
        push("moves/kit", "1.0.0", "public", skill("", "kit"));
        push("moves/kit", "1.1.0", "public", skill("", "kit"));
        assertThat(named("/ard/catalog/moves")).hasSize(4);

        app().post(bundle("moves/kit") + "/versions/1.1.0:yank", app().admin(), "{}");
        assertThat(named("/ard/catalog/moves"))
                .containsExactly("urn:air:sheaf.example:moves:kit 1.0.0", "urn:air:sheaf.example:moves:kit:kit 1.0.0");
        app().send("PATCH", bundle("moves/kit"), app().admin(), "{\"visibility\": \"private\"}");

        assertThat(app().get("/ard/catalog/moves", null).status()).isEqualTo(404);
        assertThat(get(ROOT).text()).doesNotContain("moves");
    }

    @Test
    void twentyVersionsAreListed() {
        for (int i = 0; i < 22; i++) {
            push("many/kit", "1." + i + ".0", "public", skill("", "kit"));
        }

        assertThat(named("/ard/catalog/many"))
                .hasSize(40)
                .startsWith("urn:air:sheaf.example:many:kit 1.21.0")
                .endsWith("urn:air:sheaf.example:many:kit:kit 1.2.0");
    }

    @Test
    void aPartBeginsAtAName() {
        push("parts/aa", "1.0.0", "public", skill("", "aa"));
        push("parts/bb", "1.0.0", "public", skill("", "bb"));

        assertThat(named("/ard/catalog/parts?from=b"))
                .contains("urn:air:sheaf.example:parts:bb 1.0.0")
                .hasSize(2);
        assertThat(app().get("/ard/catalog/parts?from=c", null).status()).isEqualTo(404);
        assertThat(app().get("/ard/catalog/parts?from=C%20", null).status()).isEqualTo(422);
        assertThat(named("/ard/catalog?from=parts"))
                .contains("urn:air:sheaf.example:parts")
                .doesNotContain("urn:air:sheaf.example:ard");
    }
}
