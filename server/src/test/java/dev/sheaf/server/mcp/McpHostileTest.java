package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages that are none, or more than a server wants.
@SuppressWarnings("NullAway.Init") // set before all tests
class McpHostileTest extends OnEveryStack {
    private McpScenario mcp;

    @Override
    public void prepare() {
        mcp = new McpScenario(app());
        mcp.push("hostile/kit", "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill("kit", "T")));
    }

    private Reply raw(byte[] body) {
        return app().send(app().request("POST", "/mcp", null, "{}").method("POST", BodyPublishers.ofByteArray(body)));
    }

    private void is(int status, int code, String body) {
        var reply = mcp.send("/mcp", null, Map.of(), body);
        assertThat(reply.status()).as(body + " " + reply.text()).isEqualTo(status);
        assertThat(reply.json().at("/jsonrpc").stringValue()).isEqualTo("2.0");
        assertThat(reply.json().at("/error/code").intValue()).as(body).isEqualTo(code);
        assertThat(reply.json().at("/error/message").stringValue()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "nonsense",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"} {}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"id\": 2, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {\"a\": 1, \"a\": 2}}",
                "{\"jsonrpc\": \"2.0\", \"id\": NaN, \"method\": \"ping\"}",
                "{'jsonrpc': '2.0'}"
            })
    void whatIsNoJsonIsNotParsed(String body) {
        is(400, -32700, body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]",
                "1",
                "null",
                "\"ping\"",
                "{}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1}",
                "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}",
                "{\"jsonrpc\": 2.0, \"id\": 1, \"method\": \"ping\"}",
                "{\"id\": 1, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1.5, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1e400, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 123456789012345678901234567890, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": [1], \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": true, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": \"\\ud800\", \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 1}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": []}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": null}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": \"x\"}"
            })
    void whatIsNoMessageIsRefused(String body) {
        is(400, -32600, body);
    }

    @Test
    void namesOfAnyCharactersComeBackHarmless() {
        for (String method : List.of("\\u0000", "\\ud800", "\\u202etools/list", "<script>", "tools/list\\u0000")) {
            is(200, -32601, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + method + "\"}");
        }
        is(400, -32600, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + "m".repeat(101) + "\"}");
        is(400, -32600, "{\"jsonrpc\": \"2.0\", \"id\": \"" + "i".repeat(257) + "\", \"method\": \"ping\"}");
    }

    @Test
    void depthAndSizeAreBounded() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        is(400, -32700, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {\"a\": " + deep + "}}");
        is(400, -32700, "[" + "0,".repeat(300_000) + "0]");
        String large = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {\"a\": \"%s\"}}";
        var refused = mcp.send("/mcp", null, Map.of(), large.formatted("x".repeat(1 << 20)));
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().at("/error/data/throttle").stringValue()).isEqualTo("size");
        assertThat(mcp.send("/mcp", null, Map.of(), large.formatted("x".repeat(1_000_000)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void bytesThatAreNoUtf8AreNoJson() {
        for (byte[] body : List.of(
                new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '{', '}'},
                new byte[] {0, '{', 0, '}'},
                new byte[] {'{', '"', (byte) 0xc0, (byte) 0xaf, '"', ':', '1', '}'},
                new byte[] {0},
                new byte[] {'{', 0, '}'})) {
            var reply = raw(body);
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.json().at("/error/code").intValue()).isEqualTo(-32700);
        }
    }

    @Test
    void otherTypesAreNotRead() {
        String body = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}";
        for (String type : List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")) {
            var reply = app().send(app().request("POST", "/mcp", null, body).setHeader("Content-Type", type));
            assertThat(reply.status()).isEqualTo(415);
            assertThat(reply.json().at("/error/message").stringValue()).contains("application/json");
        }
        var good = app().send(app().request("POST", "/mcp", null, body)
                .setHeader("Content-Type", "Application/JSON;charset=utf-8"));
        assertThat(good.status()).isEqualTo(200);
    }

    @Test
    void parametersOfOtherTypesAreWrong() {
        for (String method : List.of("resources/read", "skills/get", "resources/directory/read", "tools/call")) {
            for (String value : List.of("1", "null", "[]", "{}", "true")) {
                for (String name : List.of("uri", "name", "none")) {
                    is(
                            200,
                            -32602,
                            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + method + "\", \"params\": {\"" + name
                                    + "\": " + value + "}}");
                }
            }
        }
        for (String list : List.of("tools/list", "skills/list", "resources/list", "prompts/list")) {
            for (String cursor : List.of("1", "\"x\"", "\"\"", "\"\\u0000\"", "{}", "\"" + "A".repeat(5_000) + "\"")) {
                String body = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + list
                        + "\", \"params\": {\"cursor\": " + cursor + "}}";
                is(200, -32602, body);
                var reply = mcp.send("/mcp/hostile", null, Map.of(), body);
                assertThat(reply.json().at("/error/code").intValue()).isEqualTo(-32602);
            }
        }
        for (String meta : List.of("1", "[]", "\"x\"", "{\"io.modelcontextprotocol/protocolVersion\": null}")) {
            var reply = mcp.send(
                    "/mcp",
                    null,
                    Map.of(),
                    "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {\"_meta\": " + meta + "}}");
            assertThat(reply.status()).as(meta).isIn(200, 400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "skill://",
                "skill:///",
                "skill://hostile/kit/kit/SKILL.md",
                "skill://hostile/kit@/kit/SKILL.md",
                "skill://hostile/kit@latest/kit/SKILL.md",
                "skill://hostile/kit@^1/kit/SKILL.md",
                "skill://hostile/kit@1.0.0/kit/../kit/SKILL.md",
                "skill://hostile/kit@1.0.0/kit//SKILL.md",
                "skill://hostile/kit@1.0.0/kit/SKILL.md/",
                "skill://hostile/kit@1.0.0//SKILL.md",
                "skill://hostile/kit@1.0.0/kit/%ff",
                "skill://hostile/kit@1.0.0/kit/%00",
                "skill://hostile/kit@1.0.0/kit/%",
                "skill://hostile%2Fkit@1.0.0/kit/SKILL.md/x",
                "SKILL://hostile/kit@1.0.0/kit/SKILL.md",
                "file:///etc/passwd",
                "https://example.org/",
                "",
                "\u0000"
            })
    void urisOfNothingAreWrong(String uri) {
        for (String method : List.of("resources/read", "skills/get", "resources/directory/read")) {
            var reply = mcp.older("/mcp", null, method, Map.of("uri", uri));
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.json().at("/error/code").intValue())
                    .as(reply.text())
                    .isEqualTo(-32602);
        }
        var long1 = mcp.older("/mcp", null, "resources/read", Map.of("uri", uri + "/a".repeat(100_000)));
        assertThat(long1.json().at("/error/code").intValue()).isEqualTo(-32602);
        assertThat(long1.text()).hasSizeLessThan(1_000);
    }

    @Test
    void pathsThatAreNoneAreToldInTheSameForm() {
        for (String path : List.of("/mcp/", "/mcp/hostile/", "/mcp/Not%20a%20name", "/mcp/hostile/kit@9.9.9")) {
            var reply = mcp.older(path, app().admin(), "ping", Map.of());
            assertThat(reply.status()).as(path).isIn(404, 422);
            assertThat(reply.json().at("/error/message").stringValue()).isNotBlank();
        }
    }
}
