package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.sheaf.server.testing.TestApp;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a request takes of the processors, that of its client in the same process included.
@Tag("measure")
class McpTimesTest {
    private static final int TIMES = 300;
    private static final double MOST = 5; // ms

    @Test
    void aRequestTakesAFewMillisecondsOfAProcessor(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("rate-anonymous-reads", "0", "rate-writes", "0"))) {
            var mcp = new McpScenario(app);
            var files = new HashMap<String, String>();
            IntStream.range(0, 1_000)
                    .mapToObj("skill-%04d"::formatted)
                    .forEach(name -> files.put("s/" + name + "/SKILL.md", McpScenario.skill(name, "T")));
            files.put("large.md", "A line of text, with \"quotes\".\n".repeat(2_000));
            mcp.push("times/kit", "1.0.0", "public", files);
            for (int i = 0; i < 200; i++) {
                mcp.push("times/b" + i, "1.0.0", "public", Map.of("SKILL.md", McpScenario.skill("b" + i, "T")));
            }
            Map<String, ?> search = Map.of("name", "search_bundles", "arguments", Map.of("query", "b17"));
            Map<String, ?> file =
                    Map.of("name", "read_file", "arguments", Map.of("bundle", "times/kit", "path", "large.md"));

            double hub = took("the hub's own search", () -> app.get("/v1/hub/bundles?q=b17", null));
            double tool = took("a search among 201 bundles", () -> mcp.ask("/mcp", null, "tools/call", search));
            assertThat(tool).as("beside the hub's, which it is").isLessThan(hub + MOST);
            measured("a file of 62 kB", () -> mcp.ask("/mcp", null, "tools/call", file));
            measured(
                    "the first 100 of 1,000 skills of a bundle",
                    () -> mcp.ask("/mcp/times/kit", null, "skills/list", Map.of()));
            measured("the first 100 skills of a namespace", () -> mcp.ask("/mcp/times", null, "skills/list", Map.of()));
            measured("initialize", () -> mcp.older("/mcp", null, "initialize", Map.of()));
        }
    }

    private static void measured(String what, Runnable request) {
        assertThat(took(what, request)).as(what).isLessThan(MOST);
    }

    private static double took(String what, Runnable request) {
        for (int i = 0; i < 3 * TIMES; i++) { // until all is compiled
            request.run();
        }
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long begun = system.getProcessCpuTime();
        for (int i = 0; i < TIMES; i++) {
            request.run();
        }
        double millis = (system.getProcessCpuTime() - begun) / 1e6 / TIMES;
        System.out.printf("%s: %.2f ms%n", what, millis);
        return millis;
    }
}
