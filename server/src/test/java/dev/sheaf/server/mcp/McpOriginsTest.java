package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages that may call because the installation names their origin.
class McpOriginsTest {
    private static final String PAGE = "https://app.example";

    private static Reply from(TestApp app, String origin) {
        var request = app.request("POST", "/mcp", null, McpScenario.message("tools/list", Map.of()));
        McpScenario.headers("tools/list", Map.of()).forEach(request::header);
        return app.send(request.header("Origin", origin));
    }

    @Test
    void aNamedOriginMayCall(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("cors-origins", PAGE))) {
            var preflight = app.send(app.request("OPTIONS", "/mcp", null, null)
                    .header("Origin", PAGE)
                    .header("Access-Control-Request-Method", "POST"));
            assertThat(preflight.status()).isEqualTo(204);
            assertThat(preflight.header("Access-Control-Allow-Headers"))
                    .contains("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Authorization", "Content-Type");

            var reply = from(app, PAGE);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(PAGE);
            assertThat(from(app, "https://other.example").status()).isEqualTo(403);
        }
    }
}
