package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/// Help is easy to read: the commands are in groups, and no word is broken.
class HelpTest extends CommandLineFixture {
    private static final Set<String> OF_THE_SERVER = Set.of("serve", "config", "admin restore", "admin upgrade-check");

    @BeforeEach
    void look() {
        terminal = true;
        environment.put("NO_COLOR", "1");
        environment.put("COLUMNS", "80");
    }

    @Test
    void theHelpOfSheafBeginsWithWhatToTypeFirst() {
        assertThat(run("--help").out()).startsWith("""
                Usage: sheaf [-hV] COMMAND
                Publishes and fetches bundles of skills, agents, prompts, tools and
                configuration.

                Start here:
                  sheaf login --url URL              signs in to a registry
                  sheaf add acme/java-kit            installs its skills for your agents
                  sheaf pull acme/java-kit           writes its files to ./java-kit
                  sheaf push . acme/java-kit:1.0.0   publishes this directory as a version

                Use bundles:
                """);
    }

    @Test
    void everyCommandIsInOneGroup() {
        var all = CommandTree.of(Shell.ofThisProcess(), "").getSubcommands().values().stream()
                .distinct()
                .filter(command -> !command.getCommandSpec().usageMessage().hidden())
                .map(CommandLine::getCommandName)
                .toList();

        assertThat(HelpCommands.grouped()).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void eachCommandOfSheafTakesOneLine() {
        var commands = run("--help")
                .out()
                .lines()
                .dropWhile(line -> !line.equals("Use bundles:"))
                .takeWhile(line -> !line.startsWith("Exit status"))
                .filter(line -> line.startsWith(" "))
                .toList();

        assertThat(commands).hasSameSizeAs(HelpCommands.grouped()).allMatch(line -> line.matches("  [a-z].*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"80", "120"})
    void helpBreaksNoWord(String columns) {
        environment.put("COLUMNS", columns);
        for (var command : commands(CommandTree.of(Shell.ofThisProcess(), ""), new ArrayList<>())) {
            String name = command.getCommandSpec().qualifiedName().replaceFirst("^sheaf ?", "");
            if (name.isEmpty() || OF_THE_SERVER.contains(name)) {
                continue;
            }
            var shown = Set.copyOf(
                    List.of(run((name + " --help").strip().split(" ")).out().split("\\s+")));

            assertThat(words(command)).as(name).allMatch(shown::contains);
        }
    }

    private static List<CommandLine> commands(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().stream().distinct().forEach(below -> commands(below, all));
        return all;
    }

    private static List<String> words(CommandLine command) {
        var spec = command.getCommandSpec();
        var arguments =
                spec.args().stream().filter(argument -> !argument.hidden()).map(ArgSpec::description);
        return Stream.concat(
                        arguments,
                        Stream.of(
                                spec.usageMessage().description(),
                                spec.usageMessage().footer()))
                .flatMap(Stream::of)
                .flatMap(text -> Stream.of(text.strip().split("\\s+")))
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
