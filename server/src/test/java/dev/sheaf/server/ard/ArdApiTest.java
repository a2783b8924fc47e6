package dev.sheaf.server.ard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The registry of ARD.
class ArdApiTest extends OnEveryStack {
    private static final String URN = "urn:air:sheaf.example:";

    @Override
    public Map<String, String> settings() {
        return Map.of("public-url", "https://sheaf.example", "ai-catalog", "true");
    }

    @Override
    public void prepare() {
        push("find/flights", "public", skill("", "flights", "Books flights and hotels."));
        push(
                "find/tools",
                "public",
                skill("skills/weather/", "weather", "Tells the forecast."),
                skill("skills/maps/", "maps", "Draws maps of flights."));
        push("find/secret", "private", skill("", "secret", "Books flights in secret."));
    }

    private static PublishedSkills.File skill(String folder, String name, String description) {
        String text = "---\nname: " + name + "\ndescription: " + description + "\n---\n";
        return new PublishedSkills.File(folder + "SKILL.md", text.getBytes(StandardCharsets.UTF_8), false);
    }

    private void push(String repository, String visibility, PublishedSkills.File... files) {
        var body = PublishedSkills.body("1.0.0", visibility, Stream.of(files));
        assertThat(app().post(bundle(repository) + ":push", app().admin(), body).status())
                .isEqualTo(201);
    }

    private Reply search(String query, String more) {
        return app().post("/ard/search", null, "{\"query\": " + query + more + "}");
    }

    private static List<JsonNode> results(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return StreamSupport.stream(reply.json().get("results").spliterator(), false)
                .toList();
    }

    private static List<String> named(Reply reply) {
        return results(reply).stream()
                .map(result -> result.get("identifier").stringValue().substring(URN.length()))
                .toList();
    }

    @Test
    void aSentenceFindsSkillsAndPlugins() {
        var found = search("{\"text\": \"Please find me a skill that books flights!\"}", "");
        assertThat(named(found)).containsExactly("find:flights:flights");

        var both = search("{\"text\": \"flights\"}", "");

        assertThat(named(both)).containsExactly("find:flights:flights", "find:tools", "find:tools:maps");
        assertThat(results(both)).allSatisfy(result -> {
            assertThat(result.get("score").intValue()).isBetween(0, 100);
            assertThat(result.get("source").stringValue()).isEqualTo("https://sheaf.example/ard");
        });
        assertThat(results(both).stream().map(result -> -result.get("score").intValue()))
                .isSorted();
        assertThat(both.text()).doesNotContain("secret");
    }

    @Test
    void aLargeBodyIsRefused() {
        var reply = search("{\"text\": \"" + "a".repeat(1 << 20) + "\"}", "");

        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.json().get("errorCode").stringValue()).isEqualTo("PAYLOAD_TOO_LARGE");
    }

    @Test
    void filtersNarrow() {
        String text = "{\"text\": \"flights\", \"filter\": ";
        assertThat(named(search(text + "{\"type\": \"application/agent-plugins+zip\"}}", "")))
                .containsExactly("find:flights", "find:tools");
        assertThat(named(search(text + "{\"type\": [\"application/agent-skills+zip\"]}}", "")))
                .containsExactly("find:flights:flights", "find:tools:maps");
        assertThat(named(search(text + "{\"type\": [\"application/mcp-server-card+json\"]}}", "")))
                .isEmpty();
        assertThat(named(search(text + "{\"publisher\": [\"sheaf.example\", \"other.example\"]}}", "")))
                .hasSize(3);
        assertThat(named(search(text + "{\"publisher\": \"other.example\"}}", "")))
                .isEmpty();
        assertThat(named(search(text + "{\"tags\": \"none\"}}", ""))).isEmpty();
    }

    @Test
    void pagesHaveEachResultOnce() {
        var all = new ArrayList<String>();
        String token = "";
        do {
            var page = search("{\"text\": \"flights\"}", ", \"pageSize\": 1" + token);
            all.addAll(named(page));
            var next = page.json().get("pageToken");
            token = next == null ? "" : ", \"pageToken\": \"" + next.stringValue() + "\"";
        } while (!token.isEmpty());

        assertThat(all).containsExactly("find:flights:flights", "find:tools", "find:tools:maps");
    }

    @Test
    void referralsAreEmpty() {
        var reply = search("{\"text\": \"nothing-of-this-name\"}", ", \"federation\": \"referrals\"");

        assertThat(named(reply)).isEmpty();
        assertThat(reply.json().get("referrals").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"query\": {}}",
                "{\"query\": \"flights\"}",
                "{\"query\": {\"text\": \"\"}}",
                "{\"query\": {\"text\": 1}}",
                "{\"query\": {\"text\": \"a\", \"filter\": {\"metadata.location\": \"x\"}}}",
                "{\"query\": {\"text\": \"a\", \"filter\": {\"type\": 1}}}",
                "{\"query\": {\"text\": \"a\"}, \"pageSize\": 0}",
                "{\"query\": {\"text\": \"a\"}, \"pageSize\": \"1\"}",
                "{\"query\": {\"text\": \"a\"}, \"federation\": \"all\"}",
                "{\"query\": {\"text\": \"a\"}, \"pageToken\": \"AAAA\"}",
                "[]",
                "{"
            })
    void aWrongSearchIsRefusedInTheFormOfArd(String body) {
        var reply = app().post("/ard/search", null, body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.json().get("errorCode").stringValue()).isEqualTo("INVALID_ARGUMENT");
        assertThat(reply.json().get("message").stringValue()).isNotBlank();
    }

    @Test
    void aRefusalNamesAllThatIsWrong() {
        var reply =
                app().post("/ard/search", null, "{\"query\": {\"text\": 1}, \"pageSize\": 0, \"federation\": \"all\"}");

        assertThat(reply.json().get("message").stringValue())
                .contains("/query/text", "/pageSize", "/federation", "; ")
                .doesNotContain("see errors");
    }

    @Test
    void aTokenBelongsToItsSearch() {
        String token = search("{\"text\": \"flights\"}", ", \"pageSize\": 1")
                .json()
                .get("pageToken")
                .stringValue();

        assertThat(search("{\"text\": \"maps\"}", ", \"pageSize\": 1, \"pageToken\": \"" + token + "\"")
                        .status())
                .isEqualTo(400);
    }

    private Reply entry(String identifier) {
        return app().get("/ard/agents/" + URLEncoder.encode(identifier, StandardCharsets.UTF_8), null);
    }

    @ParameterizedTest
    @CsvSource({
        "find:flights, application/agent-plugins+zip",
        "find:tools:maps, application/agent-skills+zip",
        "find, application/ai-catalog+json",
        "ard, application/ai-registry+json"
    })
    void anEntryIsFoundByItsIdentifier(String name, String type) {
        var reply = entry(URN + name);

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.json().get("identifier").stringValue()).isEqualTo(URN + name);
        assertThat(reply.json().get("type").stringValue()).isEqualTo(type);
        assertThat(reply.json().has("score") || reply.json().has("source")).isFalse();
        assertThat(reply.header("ETag")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "find:secret",
                "find:secret:secret",
                "find:flights:none",
                "find:none",
                "none",
                "FIND:flights",
                "find:flights:flights:more"
            })
    void whatIsHiddenIsMissing(String name) {
        var reply = entry(URN + name);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.json().get("errorCode").stringValue()).isEqualTo("NOT_FOUND");
        assertThat(entry(URN.replace("sheaf", "other") + "find:flights").status())
                .isEqualTo(404);
    }

    @Test
    void whatIsNoIdentifierIsRefused() {
        assertThat(entry("not-a-valid-ard-urn").status()).isEqualTo(400);
        assertThat(entry(URN + "find:a b").status()).isEqualTo(400);
    }

    @Test
    void optionalCallsSayThatTheyAreNotThere() {
        var explored = app().post("/ard/explore", null, "{\"resultType\": {\"facets\": [{\"field\": \"type\"}]}}");

        assertThat(explored.status()).isEqualTo(501);
        assertThat(app().get("/ard/agents", null).json().get("errorCode").stringValue())
                .isEqualTo("NOT_IMPLEMENTED");
    }
}
