package dev.sheaf.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.ChildProcess;
import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.cli.TmuxSession;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What shells offer while somebody types, which a registry says.
@Tag("programs")
class NamesCommandTest extends CommandLineFixture {
    private static final String PAGE = """
            {"data": [%s], "meta": {"hasMore": false, "limit": 100}}""";

    @BeforeEach
    void fill() {
        environment.put("SHEAF_COMPLETION_MILLIS", "10000");
        bundles("acme/java-kit", "acme/notes");
        answer("/java-kit/tags", 200, page("name", "latest", "stable"));
        answer("/java-kit/versions", 200, page("version", "1.1.0", "1.0.0"));
        answer("/v1/hub/bundles", 200, PAGE.formatted("""
                        {"slug": "notes", "publisher": {"handle": "acme"}}, {"slug": "kit", "publisher": {"handle": "other"}}"""));
    }

    private void bundles(String... names) {
        answer("/v1/namespaces/acme/bundles?", 200, page("ref", names));
        answer("/v1/namespaces/acme/bundles", 200, page("ref", names));
    }

    private static String page(String member, String... names) {
        return PAGE.formatted(Stream.of(names)
                .map(name -> "{\"" + member + "\": \"" + name + "\"}")
                .collect(Collectors.joining(",")));
    }

    private String complete(String line) {
        String[] words = ("complete-words -- " + line).split(" ", -1);
        var ran = run(words);
        assertThat(ran.status()).isZero();
        assertThat(ran.err()).isEmpty();
        return ran.out().strip().replace("\n", " ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "nothing", value = """
            pull acme/                                | acme/java-kit acme/notes
            pull acme/no                              | acme/notes
            pull acme/notes acme/j                    | acme/java-kit
            pull -o there acme/j                      | acme/java-kit
            pull o                                    | other/kit
            pull acme/java-kit:                       | acme/java-kit:latest acme/java-kit:stable acme/java-kit:1.1.0 acme/java-kit:1.0.0
            pull acme/java-kit:1.0                    | acme/java-kit:1.0.0
            push kit acme/n                           | acme/notes
            tags set acme/java-kit s                  | stable
            tags set acme/java-kit stable 1.1         | 1.1.0
            tags set acme/java-kit stable --expect 1.0 | 1.0.0
            diff acme/java-kit:1.0.0 1.1              | 1.1.0
            keys create ci --bundle acme/j            | acme/java-kit
            push ac                                   | nothing
            pull -o ac                                | nothing
            tags                                      | nothing
            nope acme/                                | nothing
            pull acme/java-kit@                       | nothing
            pull ACME/                                | nothing
            pull --                                   | nothing
            """)
    void offersWhatFitsThere(String line, String offered) {
        assertThat(complete(line)).isEqualTo(offered == null ? "" : offered);
    }

    @Test
    void asksTheRegistryThatIsTyped() {
        try (var other = TinyRegistry.start()) {
            complete("pull --url " + other.url() + " acme/");

            assertThat(other.requests("/v1/namespaces/acme/bundles")).isNotEmpty();
        }
        assertThat(registry.requests("/")).isEmpty();
        assertThat(complete("pull --url :// acme/")).isEmpty();
    }

    @Test
    void whatARegistryAnswersIsANameOrNothing() {
        bundles(
                "acme/j$(touch pwned)",
                "acme/j`id`",
                "acme/j;id",
                "acme/j\\u001b[31m",
                "acme/j\\nrm",
                "acme/j k",
                "acme/ja");

        assertThat(complete("pull acme/j")).isEqualTo("acme/ja");
    }

    @Test
    void whatFailsIsNotTold() {
        answer("/v1/namespaces/acme/bundles", 500, "{");

        assertThat(complete("pull acme/")).isEmpty();
    }

    @Test
    void aRegistryThatDoesNotAnswerIsNotWaitedFor() {
        var over = new CountDownLatch(1);
        registry.replace("/v1/namespaces/acme/bundles", exchange -> {
            try {
                over.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        environment.remove("SHEAF_COMPLETION_MILLIS");
        long began = System.nanoTime();

        assertThat(complete("pull acme/")).isEmpty();

        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(10));
        over.countDown();
    }

    /// Through the shells themselves, with a `sheaf` that says what it was asked and what a hostile one could say.
    @Test
    void bashTakesNamesForNothingElse() throws IOException, InterruptedException {
        ChildProcess.assumeInstalled("bash", "bash");
        Path fake = folder.resolve("sheaf");
        Files.writeString(fake, """
                #!/bin/sh
                shift 2
                echo "$*" >>"$HOME/asked"
                printf '%s\\n' 'acme/kit:1.0.0' 'acme/kit:$(touch "$HOME/pwned")' 'other'
                """);
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwx------"));
        Path script = Files.writeString(
                folder.resolve("sheaf.bash"), run("completion", "bash").out());
        String ask = """
                . "$1"
                COMP_LINE='sheaf pull acme/kit:1' COMP_POINT=21 COMP_CWORD=4
                COMP_WORDS=(sheaf pull acme/kit : 1)
                _complete_sheaf_names "$2" 1 :
                printf '%s|' "${COMPREPLY[@]}"
                """;

        var ran = new ChildProcess(folder, Map.of("HOME", folder.toString()))
                .run("", List.of("bash", "--norc", "-c", ask, "bash", script.toString(), fake.toString()));

        assertThat(ran.out()).as(ran.err()).isEqualTo("1.0.0|");
        assertThat(folder.resolve("asked")).hasContent("pull acme/kit:1");
        assertThat(folder.resolve("pwned")).doesNotExist();
    }

    /// Somebody types and presses Tab: zsh reads the script in another way than bash.
    @Test
    void zshCompletesCommandsOptionsAndNames() throws Exception {
        ChildProcess.assumeInstalled("zsh", "zsh");
        Path script = Files.writeString(
                folder.resolve("sheaf.zsh"), run("completion", "zsh").out());
        var around = Map.of("SHEAF_URL", registry.url().toString(), "SHEAF_COMPLETION_MILLIS", "10000");
        try (var terminal = TmuxSession.start(folder, around)) {
            terminal.press("exec zsh -f", "Enter");
            terminal.press("PS1='> '; source '" + script + "'; echo re''ady", "Enter");
            assertThat(terminal.await("\nready\n>")).doesNotContain("sheaf.zsh:");

            completes(terminal, "sheaf vers", "sheaf versions ");
            completes(terminal, "sheaf pull --offl", "sheaf pull --offline ");
            completes(terminal, "sheaf tags se", "sheaf tags set ");
            completes(terminal, "sheaf info acme/ja", "sheaf info acme/java-kit");
            completes(terminal, "sheaf pull -o there acme/java-kit:st", "sheaf pull -o there acme/java-kit:stable");
        }
    }

    /// As packages install it: zsh finds the file by its name and its first line, and reads it at the first Tab.
    @Test
    void zshFindsTheScriptInItsFolders() throws Exception {
        ChildProcess.assumeInstalled("zsh", "zsh");
        Path functions = Files.createDirectories(folder.resolve("vendor-completions"));
        Files.writeString(functions.resolve("_sheaf"), run("completion", "zsh").out());
        try (var terminal =
                TmuxSession.start(folder, Map.of("SHEAF_URL", registry.url().toString()))) {
            terminal.press("exec zsh -f", "Enter");
            terminal.press(
                    "PS1='> '; fpath=('" + functions + "' $fpath); autoload -U compinit; compinit -u -D; echo re''ady",
                    "Enter");
            assertThat(terminal.await("\nready\n>")).doesNotContain("_sheaf:");

            completes(terminal, "sheaf vers", "sheaf versions ");
            completes(terminal, "sheaf tags se", "sheaf tags set ");
        }
    }

    private static void completes(TmuxSession terminal, String typed, String whole) throws Exception {
        terminal.press(typed);
        terminal.press("Tab");
        assertThat(terminal.await("> " + whole.strip())).doesNotContain("_complete_sheaf", "sheaf.zsh:");
        terminal.press("C-u");
    }

    @Test
    void fishOffersNamesAndNoFiles() throws IOException, InterruptedException {
        ChildProcess.assumeInstalled("fish", "fish");
        Path fake = folder.resolve("sheaf");
        Files.writeString(fake, "#!/bin/sh\nshift 2\nprintf '%s.' \"$@\" >\"$HOME/asked\"\necho acme/kit\n");
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwx------"));
        Path script = Files.writeString(
                folder.resolve("sheaf.fish"), run("completion", "fish").out());
        String ask = "set PATH $argv[3] $PATH; cd $argv[3]; source $argv[1]; complete -C $argv[2]";

        var ran = new ChildProcess(folder, Map.of("HOME", folder.toString()))
                .run(
                        "",
                        List.of("fish", "--no-config", "-c", ask, script.toString(), "sheaf info ", folder.toString()));

        assertThat(ran.out()).as(ran.err()).isEqualTo("acme/kit\n");
        assertThat(Files.readString(folder.resolve("asked"), StandardCharsets.UTF_8))
                .isEqualTo("info..");
    }
}
