package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Skills by the extension for skills: lists, entries, files and folders.
@SuppressWarnings("NullAway.Init") // set before all tests
class McpSkillsTest extends OnEveryStack {
    private McpScenario mcp;

    @Override
    public void prepare() {
        mcp = new McpScenario(app());
    }

    private List<String> listed(String path) {
        return McpScenario.each(mcp.result(path, "skills/list", Map.of()).get("skills"), "/uri");
    }

    private byte[] read(String uri) {
        JsonNode content = mcp.result("/mcp", "resources/read", Map.of("uri", uri))
                .get("contents")
                .get(0);
        assertThat(content.get("uri").stringValue()).isEqualTo(uri);
        return content.has("text")
                ? content.get("text").stringValue().getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(content.get("blob").stringValue());
    }

    private int error(String path, String method, String uri) {
        return mcp.ask(path, null, method, Map.of("uri", uri))
                .json()
                .at("/error/code")
                .asInt(0);
    }

    /// As a host does it: each file of each entry is read, and compared with what the entry says.
    @Test
    void everyFileIsWhatItsEntrySays() {
        PublishedSkills.push(app(), "mcpten/all", "1.0.0", "public");

        var skills = mcp.result("/mcp/mcpten/all", "skills/list", Map.of()).get("skills");

        var names = new ArrayList<String>();
        for (var skill : skills) {
            String name = skill.at("/frontmatter/name").stringValue();
            String root = "skill://mcpten/all@1.0.0/" + name;
            names.add(name);
            assertThat(skill.get("uri").stringValue()).isEqualTo(root + "/SKILL.md");
            var contents = new ArrayList<byte[]>();
            for (var file : skill.get("resources")) {
                byte[] bytes = read(file.get("uri").stringValue());
                assertThat(bytes).hasSize(file.get("size").intValue());
                assertThat(Digest.sha256(bytes).toString())
                        .isEqualTo(file.get("digest").stringValue());
                contents.add(bytes);
            }
            assertThat(contents)
                    .usingElementComparator(Arrays::compare)
                    .containsExactlyElementsOf(PublishedSkills.of(name).stream()
                            .map(PublishedSkills.File::bytes)
                            .toList());
            assertThat(mcp.result("/mcp", "skills/get", Map.of("uri", root + "/SKILL.md"))
                            .get("skill"))
                    .isEqualTo(skill);
        }
        assertThat(names).isEqualTo(PublishedSkills.names());
    }

    @Test
    void aFrontMatterIsTheWholeOne() {
        mcp.push("mcpfront/kit", "1.0.0", "public", Map.of("SKILL.md", """
                ---
                name: kit
                description: "With: colons"
                license: MIT
                version: 1.0
                count: 7
                quoted: "7"
                yes: true
                nothing: null
                metadata:
                  author: somebody
                  tags: [a, b]
                ---
                Text
                """));

        assertThat(mcp.result("/mcp/mcpfront/kit", "skills/list", Map.of())
                        .at("/skills/0/frontmatter")
                        .toString())
                .isEqualTo(
                        "{\"name\":\"kit\",\"description\":\"With: colons\",\"license\":\"MIT\",\"version\":1.0,\"count\":7,"
                                + "\"quoted\":\"7\",\"yes\":true,\"nothing\":null,"
                                + "\"metadata\":{\"author\":\"somebody\",\"tags\":[\"a\",\"b\"]}}");
    }

    @Test
    void addressesPickVersionsAndSkills() {
        mcp.push("mcppick/kit", "1.0.0", "public", Map.of("s/a/SKILL.md", McpScenario.skill("a", "1")));
        mcp.push(
                "mcppick/kit",
                "1.2.0",
                "public",
                Map.of("s/a/SKILL.md", McpScenario.skill("a", "2"), "s/b/SKILL.md", McpScenario.skill("b", "2")));
        mcp.push("mcppick/more", "2.0.0+build.5", "public", Map.of("SKILL.md", McpScenario.skill("more", "m")));
        String a = "skill://mcppick/kit@1.2.0/a/SKILL.md";
        String b = "skill://mcppick/kit@1.2.0/b/SKILL.md";

        assertThat(listed("/mcp/mcppick/kit")).containsExactly(a, b);
        assertThat(listed("/mcp/mcppick/kit@1.0.0")).containsExactly("skill://mcppick/kit@1.0.0/a/SKILL.md");
        assertThat(listed("/mcp/mcppick/kit@%5E1.0")).containsExactly(a, b);
        assertThat(listed("/mcp/mcppick/kit@1.2.0@b")).containsExactly(b);
        assertThat(listed("/mcp/mcppick/kit@b")).containsExactly(b);
        assertThat(listed("/mcp/mcppick")).containsExactly(a, b, "skill://mcppick/more@2.0.0+build.5/more/SKILL.md");
        assertThat(listed("/mcp")).isEmpty();
        assertThat(read("skill://mcppick/more@2.0.0+build.5/more/SKILL.md"))
                .isEqualTo(McpScenario.skill("more", "m").getBytes(StandardCharsets.UTF_8));
        assertThat(read("skill://mcppick/kit@1.0.0/a/SKILL.md"))
                .isEqualTo(McpScenario.skill("a", "1").getBytes(StandardCharsets.UTF_8));
        assertThat(error("/mcp/mcppick/kit", "resources/read", "skill://mcppick/kit@1.0.0/a/SKILL.md"))
                .as("what a host has begun to use")
                .isZero();
        assertThat(error("/mcp/mcppick/kit", "resources/read", "skill://mcppick/more@2.0.0+build.5/more/SKILL.md"))
                .as("another bundle")
                .isEqualTo(-32602);
    }

    @Test
    void aYankedVersionIsOnlyWhereItIsNamed() {
        mcp.push("mcpyank/kit", "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill("kit", "1")));
        mcp.push("mcpyank/kit", "1.1.0", "public", Map.of("SKILL.md", McpScenario.skill("kit", "2")));

        app().post(bundle("mcpyank/kit") + "/versions/1.1.0:yank", app().admin(), "{\"reason\": \"broken\"}");

        assertThat(listed("/mcp/mcpyank")).containsExactly("skill://mcpyank/kit@1.0.0/kit/SKILL.md");
        assertThat(listed("/mcp/mcpyank/kit@1.1.0")).containsExactly("skill://mcpyank/kit@1.1.0/kit/SKILL.md");
        assertThat(error("/mcp", "skills/get", "skill://mcpyank/kit@1.1.0/kit/SKILL.md"))
                .isZero();
    }

    @Test
    void skillsThatHostsRefuseAreNotListed() {
        var files = new LinkedHashMap<String, String>();
        files.put("a/good/SKILL.md", McpScenario.skill("good", "T"));
        files.put("a/good/inner/SKILL.md", McpScenario.skill("inner", "T"));
        files.put("a/folder/SKILL.md", McpScenario.skill("other-name", "T"));
        files.put("a/mute/SKILL.md", "---\nname: mute\n---\n");
        files.put("a/none/SKILL.md", "# None\n");
        files.put("a/many/SKILL.md", McpScenario.skill("many", "T"));
        IntStream.range(0, 512).forEach(i -> files.put("a/many/f" + i, "" + i));
        mcp.push("mcpleft/kit", "1.0.0", "public", files);

        var skills = mcp.result("/mcp/mcpleft/kit", "skills/list", Map.of()).get("skills");

        assertThat(McpScenario.each(skills, "/frontmatter/name")).containsExactly("good");
        assertThat(McpScenario.each(skills.get(0).get("resources"), "/uri"))
                .containsExactly(
                        "skill://mcpleft/kit@1.0.0/good/SKILL.md", "skill://mcpleft/kit@1.0.0/good/inner/SKILL.md");
        for (String name : List.of("folder", "mute", "none", "many", "absent")) {
            assertThat(error("/mcp", "skills/get", "skill://mcpleft/kit@1.0.0/" + name + "/SKILL.md"))
                    .isEqualTo(-32602);
        }
        assertThat(error("/mcp", "skills/get", "skill://mcpleft/kit@1.0.0/good/inner/SKILL.md"))
                .isEqualTo(-32602);
        assertThat(read("skill://mcpleft/kit@1.0.0/many/f511")).asString().isEqualTo("511");
    }

    @Test
    void foldersTellWhatIsInThem() {
        mcp.push(
                "mcpdir/kit",
                "1.0.0",
                "public",
                Map.of(
                        "SKILL.md", McpScenario.skill("kit", "T"),
                        "docs/a b.md", "A",
                        "docs/deep/ü.txt", "U",
                        "docs.md", "D"));
        String root = "skill://mcpdir/kit@1.0.0/kit";

        assertThat(folder(root))
                .isEqualTo(Map.of(
                        root + "/SKILL.md", "text/markdown",
                        root + "/docs", "inode/directory",
                        root + "/docs.md", "text/markdown"));
        assertThat(folder(root + "/docs").keySet())
                .containsExactlyInAnyOrder(root + "/docs/a%20b.md", root + "/docs/deep");
        assertThat(folder(root + "/docs/deep").keySet()).containsExactly(root + "/docs/deep/%C3%BC.txt");
        assertThat(folder("skill://mcpdir/kit@1.0.0").keySet()).containsExactly(root);
        assertThat(read(root + "/docs/a%20b.md")).asString().isEqualTo("A");
        assertThat(error("/mcp", "resources/read", root + "/docs/a b.md")).isZero();
        for (String no : List.of("/SKILL.md", "/doc", "/docs/", "/docs/a%20b.md", "/no")) {
            assertThat(error("/mcp", "resources/directory/read", root + no))
                    .as(no)
                    .isEqualTo(-32602);
        }
        assertThat(error("/mcp", "resources/read", root)).isEqualTo(-32602);
        assertThat(mcp.ask("/mcp", null, "resources/read", Map.of("uri", root + "/docs"))
                        .text())
                .contains("is a folder");
    }

    private Map<String, String> folder(String uri) {
        var inside = new HashMap<String, String>();
        mcp.result("/mcp", "resources/directory/read", Map.of("uri", uri))
                .get("resources")
                .forEach(one -> inside.put(
                        one.get("uri").stringValue(), one.get("mimeType").stringValue()));
        return inside;
    }

    @Test
    void resourcesAreTheDocumentsOfSkills() {
        mcp.push("mcpres/kit", "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill("kit", "T"), "x", "y"));

        var resources = mcp.result("/mcp/mcpres", "resources/list", Map.of()).get("resources");

        assertThat(resources.toString())
                .isEqualTo("[{\"uri\":\"skill://mcpres/kit@1.0.0/kit/SKILL.md\",\"name\":\"kit\","
                        + "\"description\":\"About kit.\",\"mimeType\":\"text/markdown\",\"size\":44}]");
        assertThat(mcp.result("/mcp", "resources/list", Map.of()).get("resources"))
                .isEmpty();
        assertThat(mcp.result("/mcp", "resources/templates/list", Map.of())
                        .at("/resourceTemplates/0/uriTemplate")
                        .stringValue())
                .isEqualTo("skill://{namespace}/{bundle}@{version}/{skill}/{+path}");
    }

    @Test
    void aThousandSkillsComeInPages() {
        var files = new HashMap<String, String>();
        IntStream.range(0, 1_000)
                .mapToObj("skill-%04d"::formatted)
                .forEach(name -> files.put("s/" + name + "/SKILL.md", McpScenario.skill(name, "T")));
        mcp.push("mcpmany/kit", "1.0.0", "public", files);
        for (int i = 0; i < 55; i++) {
            String slug = "one-%02d".formatted(i);
            mcp.push("mcpmany/" + slug, "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill(slug, "T")));
        }
        var names = IntStream.range(0, 1_000).mapToObj("skill-%04d"::formatted).toList();

        assertThat(mcp.pages("/mcp/mcpmany/kit", null, "skills/list", "skills").stream()
                        .map(skill -> skill.at("/frontmatter/name").stringValue()))
                .containsExactlyElementsOf(names);
        assertThat(mcp.pages("/mcp/mcpmany", null, "skills/list", "skills"))
                .hasSize(1_055)
                .doesNotHaveDuplicates();
        assertThat(mcp.pages("/mcp/mcpmany", null, "resources/list", "resources"))
                .hasSize(1_055);
        var cursor = mcp.result("/mcp/mcpmany/kit", "skills/list", Map.of())
                .get("nextCursor")
                .stringValue();
        assertThat(cursor).matches("[A-Za-z0-9_-]+");
        for (var other : List.of("/mcp/mcpmany", "/mcp/mcpmany/kit@1.0.0")) {
            assertThat(mcp.ask(other, null, "skills/list", Map.of("cursor", cursor))
                            .json()
                            .at("/error/code")
                            .intValue())
                    .as("a cursor of another list")
                    .isEqualTo(-32602);
        }
    }
}
