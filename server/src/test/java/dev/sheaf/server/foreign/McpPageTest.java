package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.mcp.McpScenario;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// The examples of docs/mcp.md, typed into a shell.
@Tag("programs")
class McpPageTest {
    private static final Path PAGE = Path.of("../docs/mcp.md");

    @Test
    void everyExampleHasAResult(@TempDir Path folder) throws IOException {
        Tool.assumeInstalled("curl", "curl");
        String page = Files.readString(PAGE);
        var examples = Pattern.compile("```\n(curl .*?)\n```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(examples).hasSizeGreaterThan(4);
        try (var app = TestApp.start(folder.resolve("data"))) {
            var mcp = new McpScenario(app);
            var files = Map.of("skills/pdf-forms/SKILL.md", McpScenario.skill("pdf-forms", "Fill."));
            mcp.push("acme/kit", "1.0.0", "public", files);
            mcp.push("acme/secret", "1.0.0", "private", files);

            for (String example : examples) {
                String said = Tool.at(Path.of("/bin/sh"), folder.resolve("home"))
                        .with(
                                "-c",
                                "SHEAF_API_KEY='" + app.admin() + "'; "
                                        + example.replace("https://sheaf.example", app.url()))
                        .run();
                var answer = JsonMapper.shared().readTree(said);
                assertThat(answer.has("result")).as("%s%n%s", example, said).isTrue();
                assertThat(answer.at("/result/isError").asBoolean(false))
                        .as(said)
                        .isFalse();
            }
            assertThat(List.of(page.split("\n"))).hasSizeLessThan(150);
        }
    }
}
