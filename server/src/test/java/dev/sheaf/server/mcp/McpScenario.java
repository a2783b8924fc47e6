package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A client of the protocol that does just what a test says.
public final class McpScenario {
    static final String VERSION = "2026-07-28";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final TestApp app;

    public McpScenario(TestApp app) {
        this.app = app;
    }

    public static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    /// A request of the stateless revision, as it should be.
    ///
    /// @param params beside `_meta`
    static String message(String method, Map<String, ?> params) {
        var all = new LinkedHashMap<String, Object>(params);
        all.put(
                "_meta",
                Map.of(
                        "io.modelcontextprotocol/protocolVersion",
                        VERSION,
                        "io.modelcontextprotocol/clientCapabilities",
                        Map.of()));
        return json(Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", all));
    }

    static Map<String, String> headers(String method, Map<String, ?> params) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("MCP-Protocol-Version", VERSION);
        headers.put("Mcp-Method", method);
        if (List.of("tools/call", "prompts/get").contains(method)) {
            headers.put("Mcp-Name", String.valueOf(params.get("name")));
        } else if (method.equals("resources/read")) {
            headers.put("Mcp-Name", String.valueOf(params.get("uri")));
        }
        return headers;
    }

    public Reply send(String path, @Nullable String key, Map<String, String> headers, String body) {
        var request = app.request("POST", path, key, body);
        headers.forEach(request::setHeader);
        return app.send(request);
    }

    /// Asks as the stateless revision wants it.
    public Reply ask(String path, @Nullable String key, String method, Map<String, ?> params) {
        return send(path, key, headers(method, params), message(method, params));
    }

    /// What came of it.
    public JsonNode result(String path, @Nullable String key, String method, Map<String, ?> params) {
        var reply = ask(path, key, method, params);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.json().has("result")).as(reply.text()).isTrue();
        return reply.json().get("result");
    }

    public JsonNode result(String path, String method, Map<String, ?> params) {
        return result(path, null, method, params);
    }

    /// Asks as clients of 2025 do.
    public Reply older(String path, @Nullable String key, String method, Map<String, ?> params) {
        return send(
                path,
                key,
                Map.of("MCP-Protocol-Version", "2025-11-25", "Accept", "application/json, text/event-stream"),
                json(Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", params)));
    }

    public JsonNode tool(@Nullable String key, String name, Map<String, ?> arguments) {
        return result("/mcp", key, "tools/call", Map.of("name", name, "arguments", arguments));
    }

    public void push(String repository, String version, String visibility, Map<String, String> files) {
        var all = files.entrySet().stream()
                .map(file -> new PublishedSkills.File(
                        file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8), false));
        var body = PublishedSkills.body(version, visibility, all);
        var reply = app.post(OnEveryStack.bundle(repository) + ":push", app.admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    public static String skill(String name, String text) {
        return "---\nname: " + name + "\ndescription: About " + name + ".\n---\n" + text + "\n";
    }

    /// One member of each entry of a list.
    static List<String> each(JsonNode list, String member) {
        var values = new ArrayList<String>();
        list.forEach(entry -> values.add(entry.at(member).stringValue()));
        return values;
    }

    /// All pages of a list.
    List<JsonNode> pages(String path, @Nullable String key, String method, String name) {
        var all = new ArrayList<JsonNode>();
        Map<String, String> params = Map.of();
        for (int i = 0; i < 1_000; i++) {
            var page = result(path, key, method, params);
            page.get(name).forEach(all::add);
            if (!page.has("nextCursor")) {
                return all;
            }
            params = Map.of("cursor", page.get("nextCursor").stringValue());
        }
        throw new AssertionError("the list has no end");
    }
}
