package dev.sheaf.engine.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// What this project says that templates give is what Shopify's own implementation gives.
@Tag("programs")
class RubyLiquidTest {
    private static final String SCRIPT = """
            golden = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))
            puts JSON.generate(golden["pairs"].map { |pair|
              Liquid::Template.parse(pair["template"], error_mode: :strict).render!(golden["variables"])
            })
            """;

    @TempDir
    private Path home;

    @Test
    void rendersTheSame() {
        var ruby = Tool.installed("ruby", "ruby", home);
        assumeTrue(
                ruby.end("", "-r", "liquid", "-e", "").exit() == 0,
                "there is no Liquid for ruby (Debian's package ruby-liquid)");

        String output = ruby.run(
                "-r",
                "json",
                "-r",
                "time",
                "-r",
                "liquid",
                "-e",
                "ENV['TZ'] = 'UTC'; " + SCRIPT,
                Golden.FILE.toAbsolutePath().toString());

        assertThat(JsonMapper.shared().readValue(output, String[].class))
                .containsExactlyElementsOf(
                        Golden.read().pairs().stream().map(Golden.Pair::output).toList());
    }

    /// So that the comparison above cannot become one of nothing.
    @Test
    void thereAreManyPairs() {
        assertThat(Golden.read().pairs()).hasSizeGreaterThan(80);
        assertThat(List.copyOf(Golden.read().variables().keySet())).contains("input");
    }
}
