package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is private is for those who may read it, and as what is missing for all others.
@SuppressWarnings("NullAway.Init") // set before all tests
class McpRightsTest extends OnEveryStack {
    private static final String URI = "skill://closed/kit@1.0.0/kit/SKILL.md";

    private McpScenario mcp;

    @Override
    public void prepare() {
        mcp = new McpScenario(app());
        mcp.push("closed/kit", "1.0.0", "private", Map.of("SKILL.md", McpScenario.skill("kit", "T")));
        mcp.push("half/open", "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill("open", "T")));
        mcp.push("half/secret", "1.0.0", "private", Map.of("SKILL.md", McpScenario.skill("secret", "T")));
    }

    private static String bare(Reply reply, String... names) {
        String text = reply.text().replaceAll("\"requestId\":\"[^\"]*\"", "");
        for (String name : names) {
            text = text.replace(name, "");
        }
        return reply.status() + text + reply.header("WWW-Authenticate") + reply.header("Cache-Control");
    }

    @Test
    void anAddressOfSomethingPrivateAsksForACredential() {
        for (String path : List.of("/mcp/closed", "/mcp/closed/kit", "/mcp/closed/kit@1.0.0", "/mcp/half/secret")) {
            for (String method : List.of("server/discover", "skills/list", "resources/read")) {
                var reply = mcp.ask(path, null, method, Map.of("uri", URI));
                assertThat(reply.status()).as(path).isEqualTo(401);
                assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"" + app().url() + "\"");
                assertThat(reply.json().at("/error/message").stringValue())
                        .contains("does not exist or needs credentials", "Authorization: Bearer <API key>");
            }
        }
        var initialize = mcp.older("/mcp/closed/kit", null, "initialize", Map.of("protocolVersion", "2025-11-25"));
        assertThat(initialize.status()).isEqualTo(401);
    }

    @Test
    void aWrongCredentialIsRefusedEverywhere() {
        for (String path : List.of("/mcp", "/mcp/half", "/mcp/half/open", "/mcp/closed/kit")) {
            var reply = mcp.ask(path, "shf_wrong", "tools/list", Map.of());
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.header("WWW-Authenticate")).contains("Bearer realm=", "error=\"invalid_token\"");
            assertThat(reply.json().at("/error/message").stringValue()).contains("Authorization: Bearer <API key>");
        }
    }

    @Test
    void bearerAndBasicLetIn() {
        String basic = "Basic "
                + Base64.getEncoder().encodeToString(("any:" + app().admin()).getBytes(StandardCharsets.UTF_8));
        for (String credential : List.of("Bearer " + app().admin(), basic)) {
            var request = app().request("POST", "/mcp/closed/kit", null, McpScenario.message("skills/list", Map.of()));
            McpScenario.headers("skills/list", Map.of()).forEach(request::header);
            var reply = app().send(request.header("Authorization", credential));
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).contains(URI).contains("\"cacheScope\":\"private\"");
            assertThat(reply.header("Cache-Control")).startsWith("private");
        }
    }

    @Test
    void listsShowWhatTheCallerMayRead() {
        String other = app().secondOrganization("mcp-other");
        String open = "skill://half/open@1.0.0/open/SKILL.md";
        String secret = "skill://half/secret@1.0.0/secret/SKILL.md";

        assertThat(uris("/mcp/half", null)).containsExactly(open);
        assertThat(uris("/mcp/half", other)).containsExactly(open);
        assertThat(uris("/mcp/half", app().admin())).containsExactly(open, secret);
        assertThat(uris("/mcp/half", app().key("half", "read"))).containsExactly(open, secret);
    }

    private List<String> uris(String path, @Nullable String key) {
        return McpScenario.each(mcp.result(path, key, "skills/list", Map.of()).get("skills"), "/uri");
    }

    @Test
    void privateIsAsMissing() {
        String other = app().secondOrganization("mcp-foreign");
        for (@Nullable String key : new @Nullable String[] {null, other}) {
            for (String path : List.of("/mcp/closed/", "/mcp/half/")) {
                String hidden = path.contains("half") ? "secret" : "kit";
                assertThat(bare(mcp.ask(path + hidden, key, "skills/list", Map.of()), hidden))
                        .isEqualTo(bare(mcp.ask(path + "nothing", key, "skills/list", Map.of()), "nothing"));
            }
            assertThat(bare(mcp.ask("/mcp/closed", key, "skills/list", Map.of()), "closed"))
                    .isEqualTo(bare(mcp.ask("/mcp/free", key, "skills/list", Map.of()), "free"));
            for (String method : List.of("resources/read", "skills/get", "resources/directory/read")) {
                String missing = URI.replace("kit", "not");
                var reply = mcp.ask("/mcp", key, method, Map.of("uri", URI));
                assertThat(reply.json().at("/error/code").intValue()).isEqualTo(-32602);
                assertThat(bare(reply, URI))
                        .isEqualTo(bare(mcp.ask("/mcp", key, method, Map.of("uri", missing)), missing));
            }
            for (String tool : List.of("get_bundle", "list_versions", "read_file")) {
                assertThat(told(key, tool, "closed/kit")).isEqualTo(told(key, tool, "closed/not"));
            }
        }
        assertThat(mcp.tool(null, "search_bundles", Map.of("query", "secret")).toString())
                .doesNotContain("half/secret");
    }

    private String told(@Nullable String key, String tool, String bundle) {
        var arguments =
                tool.equals("read_file") ? Map.of("bundle", bundle, "path", "SKILL.md") : Map.of("bundle", bundle);
        var result = mcp.tool(key, tool, arguments);
        assertThat(result.get("isError").booleanValue()).isTrue();
        return result.toString().replace(bundle, "");
    }

    @Test
    void aKeyForSomethingElseSeesNothing() {
        var made = app().post("/v1/organizations/default/api-keys", app().admin(), """
                {"name": "elsewhere", "scopes": ["read"], "restrictions": {"bundles": ["half/*"]}}""");
        String key = made.json().get("key").stringValue();

        assertThat(mcp.ask("/mcp/closed/kit", key, "skills/list", Map.of()).status())
                .isEqualTo(404);
        assertThat(uris("/mcp/half", key)).hasSize(2);
        assertThat(mcp.ask("/mcp", key, "resources/read", Map.of("uri", URI))
                        .json()
                        .at("/error/code")
                        .intValue())
                .isEqualTo(-32602);
    }
}
