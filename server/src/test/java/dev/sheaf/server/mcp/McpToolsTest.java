package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The four tools of the registry.
@SuppressWarnings("NullAway.Init") // set before all tests
class McpToolsTest extends OnEveryStack {
    private McpScenario mcp;

    @Override
    public void prepare() {
        mcp = new McpScenario(app());
        mcp.push(
                "tooled/forms",
                "1.0.0",
                "public",
                Map.of("s/zebra-forms/SKILL.md", McpScenario.skill("zebra-forms", "one"), "notes.txt", "first"));
        mcp.push(
                "tooled/forms",
                "1.1.0",
                "public",
                Map.of("s/zebra-forms/SKILL.md", McpScenario.skill("zebra-forms", "two"), "notes.txt", "second"));
    }

    private JsonNode data(String tool, Map<String, ?> arguments) {
        var result = mcp.tool(null, tool, arguments);
        assertThat(result.get("isError").booleanValue()).as(result.toString()).isFalse();
        assertThat(result.at("/content/0/text").stringValue())
                .as("the same for models")
                .isEqualTo(result.get("structuredContent").toString());
        return result.get("structuredContent");
    }

    private String refused(String tool, Map<String, ?> arguments) {
        var result = mcp.tool(null, tool, arguments);
        assertThat(result.get("isError").booleanValue()).as(result.toString()).isTrue();
        return result.at("/content/0/text").stringValue();
    }

    @Test
    void bundlesAreFoundByWords() {
        var found = data("search_bundles", Map.of("query", "zebra"));

        assertThat(found.at("/bundles/0/bundle").stringValue()).isEqualTo("tooled/forms");
        assertThat(found.at("/bundles/0/latestVersion").stringValue()).isEqualTo("1.1.0");
        assertThat(found.at("/bundles/0/skills").toString()).isEqualTo("[\"zebra-forms\"]");
        assertThat(data("search_bundles", Map.of("query", "zebra", "namespace", "elsewhere"))
                        .get("bundles"))
                .isEmpty();
        assertThat(data("search_bundles", Map.of("query", "%&/")).get("bundles"))
                .isEmpty();
        assertThat(refused("search_bundles", Map.of())).contains("query", "required");
        assertThat(refused("search_bundles", Map.of("query", "x", "limit", 0))).contains("limit");
        assertThat(refused("search_bundles", Map.of("query", "x", "sort", "new")))
                .contains("sort");
        assertThat(refused("search_bundles", Map.of("query", "x".repeat(201)))).contains("200");
        assertThat(refused("search_bundles", Map.of("query", "a\u0000b"))).contains("NUL");
    }

    /// Hidden characters would reach a terminal, or tell a model what nobody sees.
    @Test
    void whatNobodySeesIsEscaped() {
        String hostile = "A\u009b31m\u202eB\udb40\udc41C \ud83d\ude00";
        assertThat(app().post("/v1/namespaces/tooled/bundles/hidden:push", app().admin(), """
                        {"name": %s, "description": %s, "visibility": "public", "version": "1.0.0",
                         "manifest": [{"logicalPath": "a.md", "contentText": "a"}]}""".formatted(
                                        McpScenario.json(hostile), McpScenario.json(hostile)))
                        .status())
                .isEqualTo(201);
        var arguments = Map.of("name", "get_bundle", "arguments", Map.of("bundle", "tooled/hidden"));

        String raw = mcp.ask("/mcp", null, "tools/call", arguments).text();
        var result = mcp.tool(null, "get_bundle", Map.of("bundle", "tooled/hidden"));

        assertThat(raw).doesNotContain("\u009b", "\u202e", "\udb40\udc41").contains("\ud83d\ude00");
        assertThat(result.at("/content/0/text").stringValue())
                .doesNotContain("\u009b", "\u202e", "\udb40\udc41")
                .contains("A\\u009b31m\\u202eB\\udb40\\udc41C \ud83d\ude00");
        assertThat(result.at("/structuredContent/description").stringValue()).isEqualTo(hostile);
    }

    @Test
    void aBundleTellsItsSkillsAndFiles() {
        var latest = data("get_bundle", Map.of("bundle", "tooled/forms"));

        assertThat(latest.get("version").stringValue()).isEqualTo("1.1.0");
        assertThat(latest.get("digest").stringValue()).startsWith("sha256:");
        assertThat(latest.at("/skills").toString())
                .isEqualTo("[{\"name\":\"zebra-forms\",\"description\":\"About zebra-forms.\","
                        + "\"uri\":\"skill://tooled/forms@1.1.0/zebra-forms/SKILL.md\"}]");
        assertThat(McpScenario.each(latest.get("files"), "/path"))
                .containsExactly("notes.txt", "s/zebra-forms/SKILL.md");
        assertThat(data("get_bundle", Map.of("bundle", "tooled/forms", "version", "~1.0"))
                        .get("version")
                        .stringValue())
                .isEqualTo("1.0.0");
        assertThat(refused("get_bundle", Map.of("bundle", "tooled/forms", "version", "9.9.9")))
                .contains("9.9.9");
        assertThat(refused("get_bundle", Map.of("bundle", "tooled"))).contains("{namespace}/{bundle}");
        assertThat(refused("get_bundle", Map.of("bundle", "Tooled/Forms"))).isNotBlank();
    }

    @Test
    void versionsComeInPages() {
        var first = data("list_versions", Map.of("bundle", "tooled/forms", "limit", 1));
        var second = data(
                "list_versions",
                Map.of(
                        "bundle",
                        "tooled/forms",
                        "limit",
                        1,
                        "cursor",
                        first.get("nextCursor").stringValue()));

        var versions = new ArrayList<String>();
        versions.addAll(McpScenario.each(first.get("versions"), "/version"));
        versions.addAll(McpScenario.each(second.get("versions"), "/version"));
        assertThat(versions).containsExactly("1.1.0", "1.0.0");
        assertThat(second.has("nextCursor")).isFalse();
        assertThat(refused("list_versions", Map.of("bundle", "tooled/forms", "cursor", "x")))
                .contains("cursor");
    }

    @Test
    void filesAreReadAsTextOrBase64() {
        byte[] binary = {(byte) 0xff, 0, 1, 2};
        var body = PublishedSkills.body(
                "1.0.0",
                "public",
                Stream.of(
                        new PublishedSkills.File("data.bin", binary, false),
                        new PublishedSkills.File(
                                "odd.txt", "\"\\\u0001\u0000ü\n".getBytes(StandardCharsets.UTF_8), false),
                        new PublishedSkills.File("large.txt", new byte[(1 << 20) + 1], false)));
        app().post(bundle("tooled/bytes") + ":push", app().admin(), body);

        var text = mcp.tool(null, "read_file", Map.of("bundle", "tooled/forms", "path", "notes.txt"));
        var blob = mcp.tool(null, "read_file", Map.of("bundle", "tooled/bytes", "path", "data.bin"));
        var odd = mcp.tool(null, "read_file", Map.of("bundle", "tooled/bytes", "path", "odd.txt"));

        assertThat(text.get("content").toString()).isEqualTo("[{\"type\":\"text\",\"text\":\"second\"}]");
        assertThat(blob.at("/content/0/type").stringValue()).isEqualTo("resource");
        assertThat(Base64.getDecoder()
                        .decode(blob.at("/content/0/resource/blob").stringValue()))
                .isEqualTo(binary);
        assertThat(odd.at("/content/0/text").stringValue()).isEqualTo("\"\\\u0001\u0000ü\n");
        assertThat(mcp.tool(
                                null,
                                "read_file",
                                Map.of("bundle", "tooled/forms", "path", "notes.txt", "version", "1.0.0"))
                        .at("/content/0/text")
                        .stringValue())
                .isEqualTo("first");
        assertThat(refused("read_file", Map.of("bundle", "tooled/bytes", "path", "large.txt")))
                .contains("1048577", "1048576", "sheaf pull tooled/bytes:1.0.0");
        for (String no : List.of("no.txt", "../notes.txt", "/notes.txt", "s", "s/")) {
            assertThat(refused("read_file", Map.of("bundle", "tooled/forms", "path", no)))
                    .as(no)
                    .isNotBlank();
        }
    }

    @Test
    void thereIsNoOtherTool() {
        for (String path : List.of("/mcp", "/mcp/tooled", "/mcp/tooled/forms")) {
            var reply = mcp.ask(path, null, "tools/call", Map.of("name", "delete_bundle", "arguments", Map.of()));
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.json().at("/error/code").intValue()).isEqualTo(-32602);
        }
        assertThat(mcp.ask("/mcp", null, "tools/call", Map.of("name", "get_bundle", "arguments", List.of()))
                        .json()
                        .at("/error/code")
                        .intValue())
                .isEqualTo(-32602);
    }
}
