package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Both sorts of revisions, and what stands in headers.
@SuppressWarnings("NullAway.Init") // set before all tests
class McpErasTest extends OnEveryStack {
    private static final String URI = "skill://eras/kit@1.0.0/kit/SKILL.md";

    private McpScenario mcp;

    @Override
    public void prepare() {
        mcp = new McpScenario(app());
        mcp.push("eras/kit", "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill("kit", "T")));
    }

    private static void isError(Reply reply, int status, int code) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.json().at("/error/code").intValue()).as(reply.text()).isEqualTo(code);
        assertThat(reply.json().at("/error/message").stringValue()).isNotBlank();
        assertThat(reply.json().at("/id").intValue()).isEqualTo(7);
    }

    // --- stateless ---

    @Test
    void itSaysWhatItCan() {
        var result = mcp.result("/mcp", "server/discover", Map.of());

        assertThat(result.get("supportedVersions").toString())
                .isEqualTo("[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]");
        assertThat(result.at("/capabilities").propertyNames()).containsExactly("resources", "tools", "extensions");
        assertThat(result.at("/capabilities/extensions").toString())
                .isEqualTo("{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}");
        assertThat(result.at("/_meta").toString()).contains("io.modelcontextprotocol/serverInfo", "sheaf");
        assertThat(mcp.result("/mcp/eras/kit", "server/discover", Map.of())
                        .at("/capabilities")
                        .has("tools"))
                .isFalse();
    }

    @Test
    void everyResultIsCompleteAndListsSayHowLongTheyLast() {
        var params = Map.of("uri", URI);
        for (String method : List.of(
                "server/discover",
                "tools/list",
                "prompts/list",
                "resources/list",
                "resources/templates/list",
                "skills/list",
                "resources/read",
                "skills/get")) {
            for (String path : List.of("/mcp", "/mcp/eras", "/mcp/eras/kit")) {
                var result = mcp.result(path, method, params);
                assertThat(result.get("resultType").stringValue()).isEqualTo("complete");
                assertThat(result.get("ttlMs").intValue()).isIn(30_000, 3_600_000);
                assertThat(result.get("cacheScope").stringValue())
                        .as(path + method)
                        .isIn("public", "private");
            }
        }
        assertThat(mcp.result("/mcp", "resources/read", params)
                        .get("cacheScope")
                        .stringValue())
                .isEqualTo("public");
        assertThat(mcp.result("/mcp", app().admin(), "resources/read", params)
                        .get("cacheScope")
                        .stringValue())
                .isEqualTo("private");
        assertThat(mcp.result("/mcp", "ping", Map.of()).get("resultType").stringValue())
                .isEqualTo("complete");
        assertThat(mcp.tool(null, "search_bundles", Map.of("query", "kit"))
                        .get("resultType")
                        .stringValue())
                .isEqualTo("complete");
    }

    private Reply with(Map<String, String> changed, String method, Map<String, ?> params) {
        var headers = new LinkedHashMap<>(McpScenario.headers(method, params));
        headers.putAll(changed);
        headers.values().removeIf(String::isEmpty);
        return mcp.send("/mcp", null, headers, McpScenario.message(method, params));
    }

    @Test
    void headersMustSayWhatTheMessageSays() {
        Map<String, ?> search = Map.of("name", "search_bundles", "arguments", Map.of("query", "kit"));
        Map<String, ?> read = Map.of("uri", URI);

        isError(with(Map.of("MCP-Protocol-Version", ""), "tools/list", Map.of()), 400, -32020);
        isError(with(Map.of("MCP-Protocol-Version", "2025-11-25"), "tools/list", Map.of()), 400, -32020);
        isError(with(Map.of("MCP-Protocol-Version", "2027-01-01"), "tools/list", Map.of()), 400, -32020);
        isError(with(Map.of("Mcp-Method", ""), "tools/list", Map.of()), 400, -32020);
        isError(with(Map.of("Mcp-Method", "tools/call"), "tools/list", Map.of()), 400, -32020);
        isError(with(Map.of("Mcp-Method", "Tools/List"), "tools/list", Map.of()), 400, -32020);
        isError(with(Map.of("Mcp-Name", ""), "tools/call", search), 400, -32020);
        isError(with(Map.of("Mcp-Name", "read_file"), "tools/call", search), 400, -32020);
        isError(with(Map.of("Mcp-Name", ""), "resources/read", read), 400, -32020);
        isError(with(Map.of("Mcp-Name", URI + "x"), "resources/read", read), 400, -32020);
        isError(with(Map.of("Mcp-Name", "=?base64?!!!?="), "resources/read", read), 400, -32020);
        isError(with(Map.of("Mcp-Name", "=?base64?/w==?="), "resources/read", read), 400, -32020);
        isError(with(Map.of("Mcp-Name", "=?base64?="), "resources/read", read), 400, -32020);
        isError(with(Map.of("Mcp-Name", ""), "prompts/get", Map.of("name", "p")), 400, -32020);
        isError(with(Map.of(), "prompts/get", Map.of("name", "p")), 404, -32601);
        String encoded = Base64.getEncoder().encodeToString(URI.getBytes(StandardCharsets.UTF_8));
        assertThat(with(Map.of("Mcp-Name", "=?base64?" + encoded + "?="), "resources/read", read)
                        .status())
                .isEqualTo(200);
        assertThat(with(Map.of("Mcp-Name", "ignored"), "tools/list", Map.of()).status())
                .isEqualTo(200);
    }

    @Test
    void aHeaderMayStandThereOnce() {
        for (String name : List.of("MCP-Protocol-Version", "Mcp-Method")) {
            var request = app().request("POST", "/mcp", null, McpScenario.message("tools/list", Map.of()));
            McpScenario.headers("tools/list", Map.of()).forEach(request::header);
            request.header(name, name.equals("Mcp-Method") ? "tools/list" : McpScenario.VERSION);

            isError(app().send(request), 400, -32020);
        }
    }

    @Test
    void anotherRevisionIsToldThoseThatThereAre() {
        String other = McpScenario.message("tools/list", Map.of()).replace("2026-07-28", "1900-01-01");
        var headers = Map.of("MCP-Protocol-Version", "1900-01-01", "Mcp-Method", "tools/list");

        var reply = mcp.send("/mcp", null, headers, other);

        isError(reply, 400, -32022);
        assertThat(reply.json().at("/error/data").toString())
                .contains("\"requested\":\"1900-01-01\"")
                .contains("\"supported\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]");
        for (String unknown : List.of("2024-11-05", "nonsense", "2026-07-2")) {
            String bare = "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/list\"}";
            isError(mcp.send("/mcp", null, Map.of("MCP-Protocol-Version", unknown), bare), 400, -32022);
        }
    }

    @Test
    void whatEachRequestSaysMustBeThere() {
        var headers = McpScenario.headers("tools/list", Map.of());
        String bare = "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/list\"}";
        String noCapabilities = """
                {"jsonrpc": "2.0", "id": 7, "method": "tools/list",
                 "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}""";

        isError(mcp.send("/mcp", null, headers, bare), 400, -32602);
        isError(mcp.send("/mcp", null, headers, noCapabilities), 400, -32602);
        isError(
                mcp.send(
                        "/mcp",
                        null,
                        headers,
                        McpScenario.message("tools/list", Map.of()).replace("\"2026-07-28\"", "7")),
                400,
                -32602);
    }

    @Test
    void anUnknownMethodIsNotFound() {
        for (String method : List.of("no/such", "subscriptions/listen", "logging/setLevel", "completion/complete")) {
            isError(mcp.ask("/mcp", null, method, Map.of()), 404, -32601);
        }
    }

    // --- older ---

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2025-06-18", "2025-03-26"})
    void olderClientsAgreeOnTheirRevision(String version) {
        var params = Map.of(
                "protocolVersion",
                version,
                "capabilities",
                Map.of(),
                "clientInfo",
                Map.of("name", "t", "version", "1"));
        var reply = mcp.send(
                "/mcp",
                null,
                Map.of(),
                McpScenario.json(Map.of("jsonrpc", "2.0", "id", "a", "method", "initialize", "params", params)));

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.response().headers().firstValue("Mcp-Session-Id")).isEmpty();
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        JsonNode result = reply.json().get("result");
        assertThat(reply.json().get("id").stringValue()).isEqualTo("a");
        assertThat(result.get("protocolVersion").stringValue()).isEqualTo(version);
        assertThat(result.at("/serverInfo/name").stringValue()).isEqualTo("sheaf");
        assertThat(result.has("resultType")).isFalse();
        var headers = version.equals("2025-03-26") ? Map.<String, String>of() : Map.of("MCP-Protocol-Version", version);
        var notified =
                mcp.send("/mcp", null, headers, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
        assertThat(notified.status()).isEqualTo(202);
        assertThat(notified.text()).isEmpty();
        var listed = mcp.send("/mcp", null, headers, "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\"}");
        assertThat(McpScenario.each(listed.json().at("/result/tools"), "/name"))
                .containsExactly("search_bundles", "get_bundle", "list_versions", "read_file");
        assertThat(listed.json().at("/result").has("ttlMs")).isFalse();
    }

    @Test
    void initializeIsNeverRefusedForItsRevision() {
        for (String asked : List.of("2026-07-28", "2024-11-05", "", "x".repeat(500))) {
            String body = McpScenario.json(Map.of(
                    "jsonrpc", "2.0", "id", 1, "method", "initialize", "params", Map.of("protocolVersion", asked)));
            var reply = mcp.send("/mcp", null, Map.of("MCP-Protocol-Version", "2026-07-28"), body);
            assertThat(reply.json().at("/result/protocolVersion").stringValue()).isEqualTo("2025-11-25");
        }
    }

    @Test
    void olderClientsAreAnsweredAsTheyExpect() {
        var unknown = mcp.older("/mcp", null, "no/such", Map.of());
        assertThat(unknown.status()).isEqualTo(200);
        assertThat(unknown.json().at("/error/code").intValue()).isEqualTo(-32601);
        assertThat(mcp.older("/mcp", null, "server/discover", Map.of())
                        .json()
                        .at("/error/code")
                        .intValue())
                .isEqualTo(-32601);
        assertThat(mcp.older("/mcp", null, "ping", Map.of())
                        .json()
                        .get("result")
                        .toString())
                .isEqualTo("{}");
        assertThat(mcp.older("/mcp/eras", null, "tools/list", Map.of())
                        .json()
                        .get("result")
                        .toString())
                .isEqualTo("{\"tools\":[]}");
        assertThat(mcp.older("/mcp", null, "prompts/list", Map.of())
                        .json()
                        .get("result")
                        .toString())
                .isEqualTo("{\"prompts\":[]}");
        for (String path : List.of("/mcp", "/mcp/eras", "/mcp/eras/kit")) {
            for (String method : List.of("GET", "DELETE", "PUT", "HEAD")) {
                var reply = app().send(method, path, null, method.equals("PUT") ? "{}" : null);
                assertThat(reply.status()).as(method).isEqualTo(405);
                assertThat(reply.header("Allow")).isEqualTo("POST");
            }
        }
        var answer = mcp.send("/mcp", null, Map.of(), "{\"jsonrpc\": \"2.0\", \"id\": 9, \"result\": {}}");
        assertThat(answer.status()).isEqualTo(202);
    }

    // --- origins ---

    private int from(String... origins) {
        var request = app().request("POST", "/mcp", null, McpScenario.message("tools/list", Map.of()));
        McpScenario.headers("tools/list", Map.of()).forEach(request::header);
        for (String origin : origins) {
            request.header("Origin", origin);
        }
        return app().send(request).status();
    }

    @Test
    void pagesOfOtherSitesAreRefused() {
        assertThat(from(app().url())).isEqualTo(200);
        assertThat(from("http://evil.example")).isEqualTo(403);
        assertThat(from("null")).isEqualTo(403);
        assertThat(from(app().url() + ".evil.example")).isEqualTo(403);
        assertThat(from(app().url(), "http://evil.example")).isEqualTo(403);
        var preflight = app().send(app().request("OPTIONS", "/mcp", null, null)
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "POST"));
        assertThat(preflight.status()).isEqualTo(405);
    }
}
