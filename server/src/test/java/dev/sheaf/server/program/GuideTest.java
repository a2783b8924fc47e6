package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The guide is right: its commands, run one after the other by one bash, do what the page shows.
///
/// What is fenced as `console` is run. A line that begins with `$ ` is a command, and the lines below it are what
/// it writes to standard output, where `…` stands for anything.
@Tag("slow")
@Tag("programs")
@Timeout(600) // seconds, for forty JVMs, one after another, on two cores with other work
class GuideTest {
    private static final String PAGE_URL = "http://127.0.0.1:8080";
    private static final String MARK = "--- next command ---";

    @TempDir
    private Path folder;

    /// A command of the page and what it shows below it.
    private record Shown(String command, String output) {}

    /// The pages of the guide in the order in which they are read; all of them use one shell.
    private static String page() throws IOException {
        var pages = new StringBuilder();
        for (String name : List.of("README", "changing", "access", "hub")) {
            pages.append(Files.readString(Path.of("../docs/guide/" + name + ".md")));
        }
        return pages.toString();
    }

    private static List<Shown> commands(String page) {
        var commands = new ArrayList<Shown>();
        var blocks = Pattern.compile("^```console\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page);
        while (blocks.find()) {
            for (String part : blocks.group(1).split("(?m)^\\$ ")) {
                if (!part.isEmpty()) {
                    int end = part.indexOf('\n');
                    commands.add(new Shown(part.substring(0, end), part.substring(end + 1)));
                }
            }
        }
        return commands;
    }

    /// The command `sheaf` as its classes are, for the bash of this test.
    private void installSheaf(Path bin) throws IOException {
        assumeTrue(
                Files.exists(Path.of("../cli/target/classes/dev/sheaf/cli/Main.class")),
                "the module cli is not compiled: the build of the whole project does so before this test");
        String classpath = List.of(
                        "../cli/target/classes",
                        "../client/target/classes",
                        "../model/target/classes",
                        "../cli/target/lib/*")
                .stream()
                .map(path -> Path.of("").toAbsolutePath().resolve(path).toString())
                .collect(Collectors.joining(File.pathSeparator));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path script = Files.writeString(Files.createDirectories(bin).resolve("sheaf"), """
                #!/bin/sh
                exec "%s" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "%s" dev.sheaf.cli.Main "$@"
                """.formatted(
                        java, classpath + File.pathSeparator + System.getProperty("java.class.path")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private List<String> run(List<Shown> commands, String url) throws IOException, InterruptedException {
        var script = new StringBuilder("set -u\n");
        for (var shown : commands) {
            script.append(shown.command().replace(PAGE_URL, url))
                    .append("\necho '")
                    .append(MARK)
                    .append("'\n");
        }
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        var builder = new ProcessBuilder(
                        "bash",
                        Files.writeString(folder.resolve("guide.sh"), script).toString())
                .directory(folder.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SHEAF_"));
        builder.environment().put("PATH", folder.resolve("bin") + File.pathSeparator + System.getenv("PATH"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve(".config").toString());
        builder.environment().put("NO_COLOR", "1");
        builder.environment().remove("DBUS_SESSION_BUS_ADDRESS"); // or a keyring of this machine would be used
        var process = builder.start();
        int status;
        try {
            status = process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        String all = Files.readString(output);
        assertThat(status).as(all + Files.readString(errors)).isZero();
        return List.of(all.split(Pattern.quote(MARK + "\n"), -1));
    }

    @Test
    void everyCommandDoesWhatThePageShows() throws Exception {
        Tool.assumeInstalled("curl", "curl");
        var commands = commands(page());
        assertThat(commands).hasSizeGreaterThan(40);

        doAsShown(commands);
    }

    @Test
    void thePageOfTheCommandLineIsRightToo() throws Exception {
        Path skill = Files.createDirectories(folder.resolve("java-kit/skills/triage"));
        Files.writeString(skill.resolve("SKILL.md"), """
                ---
                name: triage
                description: Finds out why a build is slow.
                ---
                """);
        var commands = commands(Files.readString(Path.of("../docs/cli.md")));
        assertThat(commands).hasSizeGreaterThan(10);

        doAsShown(commands);
    }

    private void doAsShown(List<Shown> commands) throws Exception {
        Tool.assumeInstalled("bash", "bash");
        installSheaf(folder.resolve("bin"));
        try (var app = TestApp.start(folder.resolve("data"))) {
            var outputs = run(commands, app.url());

            assertThat(outputs).hasSize(commands.size() + 1);
            var soft = new SoftAssertions();
            for (int i = 0; i < commands.size(); i++) {
                var shown = commands.get(i);
                soft.assertThat(lines(outputs.get(i).replace(app.url(), PAGE_URL)))
                        .as("$ %s", shown.command())
                        .matches(pattern(shown.output()));
            }
            soft.assertAll();
        }
    }

    /// From the second step on: the first one is the server, which the test starts. The programs of others are left
    /// out.
    @Test
    void theReadmeLeadsFromACloneToAPulledBundle() throws Exception {
        Tool.assumeInstalled("curl", "curl");
        Tool.assumeInstalled("bash", "bash");
        installSheaf(folder); // as in a clone: not on the path yet
        String page = Files.readString(Path.of("../README.md"));
        String steps = page.substring(page.indexOf("**2. Push.**"), page.indexOf("## Why not just"));
        var commands = Pattern.compile("^```\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(steps)
                .results()
                .flatMap(block -> block.group(1).lines())
                .filter(line -> !line.startsWith("oras ") && !line.startsWith("skopeo "))
                .map(line -> line.replace("/tmp/", folder + "/pulled/")) // first: a checkout may be in /tmp
                .map(line -> new Shown(line.replace("server/", Path.of("").toAbsolutePath() + "/"), ""))
                .toList();
        assertThat(commands).hasSizeGreaterThan(3);

        List<String> outputs;
        try (var app = TestApp.start(folder.resolve("data"))) {
            outputs = run(commands, app.url());
        }

        assertThat(outputs.get(1)).contains("acme/linux-triage@sha256:");
        assertThat(outputs.get(2)).contains("\"version\":\"1.0.0\"");
        String file = "skills/arch-linux-triage/SKILL.md";
        assertThat(folder.resolve("pulled/linux-triage").resolve(file))
                .hasSameBinaryContentAs(
                        Path.of("src/test/resources/corpus/linux-triage").resolve(file));
    }

    /// Without the empty line at the end that `echo` leaves behind an answer of nothing.
    private static String lines(String output) {
        return output.strip();
    }

    private static Pattern pattern(String shown) {
        String regex = Pattern.compile("…")
                .splitAsStream(shown.strip() + " ")
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
        return Pattern.compile(regex.substring(0, regex.length() - 3) + "\\E", Pattern.DOTALL);
    }

    /// What is not run needs what the test has not: another program, another machine, a name of the reader's.
    @Test
    void whatIsNotRunCannotBe() throws IOException {
        var blocks = Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page());
        while (blocks.find()) {
            if (!blocks.group(1).equals("console")) {
                assertThat(blocks.group(2)).containsAnyOf("oras ", "bundles.example.com", "acme/linux-triage:1.0.0\n");
            }
        }
    }
}
