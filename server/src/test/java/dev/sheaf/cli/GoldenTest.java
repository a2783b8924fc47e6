package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// What each command prints, to the letter, in each of its forms: src/test/resources/golden has a file for
/// each. `-Dsheaf.golden=write` writes them anew; look at the difference before you commit it.
@Timeout(300)
class GoldenTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");

    @TempDir
    private Path folder;

    @Test
    void everyCommandPrintsWhatItsFileShows() throws IOException {
        var shown = new TreeMap<String, String>();
        for (var format : Output.Format.values()) {
            Path own = Files.createDirectories(folder.resolve(format.toString()));
            var settings = Map.of("webhook-http", "true", "webhook-private-addresses", "true");
            try (var app = TestApp.start(own.resolve("data"), settings)) {
                var scenario = new GoldenScenario(app, own.resolve("work"), format);
                scenario.run();
                scenario.shown().forEach((command, text) -> shown.merge(command, text, String::concat));
            }
        }

        shown.replaceAll((command, text) -> text.stripLeading());
        if ("write".equals(System.getProperty("sheaf.golden"))) {
            write(shown);
        }
        var soft = new SoftAssertions();
        for (var entry : shown.entrySet()) {
            Path file = GOLDEN.resolve(entry.getKey() + ".txt");
            soft.assertThat(file).as("-Dsheaf.golden=write writes it").exists();
            if (Files.exists(file)) {
                soft.assertThat(entry.getValue()).as(file.toString()).isEqualTo(Files.readString(file));
            }
        }
        soft.assertAll();
    }

    @Test
    void everyCommandHasAFileAndIsRunInEachForm() throws IOException {
        var commands = leaves(CommandTree.of(Shell.ofThisProcess(), ""));
        var files = new TreeSet<String>();
        try (var all = Files.list(GOLDEN)) {
            all.forEach(file -> files.add(file.getFileName().toString().replace(".txt", "")));
        }

        assertThat(files).containsExactlyInAnyOrderElementsOf(commands.keySet());
        for (String name : commands.keySet()) {
            String text = Files.readString(GOLDEN.resolve(name + ".txt"));
            var command = commands.get(name);
            assertThat(text).as(name).contains("$ " + command.getCommandSpec().qualifiedName());
            if (command.getMixins().containsKey("output")) {
                assertThat(text).as(name).contains(" --format json", " --format quiet");
            }
        }
    }

    @Test
    void thePagesNameEveryCommand() throws IOException {
        String bundles = Files.readString(Path.of("../docs/cli.md"));
        String rest = Files.readString(Path.of("../docs/cli-manage.md"));
        String table = bundles.substring(bundles.indexOf("## Commands"), bundles.indexOf("## Cache"))
                + rest.substring(rest.indexOf("## Commands"), rest.indexOf("\n## Keys"));
        for (var command : leaves(CommandTree.of(Shell.ofThisProcess(), "")).values()) {
            String words = command.getCommandSpec().qualifiedName().replaceFirst("^sheaf ", "");
            String last = words.substring(words.lastIndexOf(' ') + 1);
            assertThat(table)
                    .as(words)
                    .containsAnyOf("`" + words + " ", "`" + words + "`", "`" + last + "`", "`" + last + " ");
        }
    }

    /// The commands that do something, by the name of their file, in the order of their help.
    private static Map<String, CommandLine> leaves(CommandLine command) {
        var leaves = new LinkedHashMap<String, CommandLine>();
        var below = new ArrayList<>(
                new java.util.LinkedHashSet<>(command.getSubcommands().values()));
        below.forEach(sub -> leaves.putAll(leaves(sub)));
        if (below.isEmpty()) {
            leaves.put(file(command), command);
        }
        return leaves;
    }

    /// `admin-user-create`.
    private static String file(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-").replaceFirst("^sheaf-", "");
    }

    private static void write(Map<String, String> shown) throws IOException {
        Files.createDirectories(GOLDEN);
        try (var old = Files.list(GOLDEN)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        for (var entry : shown.entrySet()) {
            Files.writeString(GOLDEN.resolve(entry.getKey() + ".txt"), entry.getValue());
        }
    }
}
