package dev.sheaf.server.testing.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A program that is not ours, run with a home of its own, so that it finds and leaves nothing in the user's.
public final class Tool {
    private static final int WAIT_SECONDS = 100;

    private final List<String> command;
    private final Path home;

    /// How a run ended.
    ///
    /// @param output what it wrote, errors among it
    public record Run(int exit, String output) {}

    private Tool(List<String> command, Path home) {
        this.command = List.copyOf(command);
        this.home = home;
    }

    /// Skips the test that asks where the program is not on the path.
    ///
    /// @param debian what to install
    public static Tool installed(String program, String debian, Path home) {
        assumeInstalled(program, debian);
        return new Tool(List.of(program), home);
    }

    /// A program at a place that is known.
    public static Tool at(Path program, Path home) {
        return new Tool(List.of(program.toAbsolutePath().toString()), home);
    }

    /// Skips the test that asks where the program is not on the path.
    ///
    /// @param debian what to install
    public static void assumeInstalled(String program, String debian) {
        assumeTrue(isInstalled(program), program + " is not installed (Debian's package " + debian + ")");
    }

    /// Whether the program is on the path.
    public static boolean isInstalled(String program) {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getenv("PATH"))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
    }

    /// The same program with these arguments before all others.
    public Tool with(String... arguments) {
        var more = new ArrayList<>(command);
        more.addAll(List.of(arguments));
        return new Tool(more, home);
    }

    /// Its output, once it has ended well.
    public String run(String... arguments) {
        return run("", arguments);
    }

    /// The same, with something to read.
    public String run(String input, String[] arguments) {
        var run = end(input, arguments);
        assertThat(run.exit())
                .as("%s %s:%n%s", command, List.of(arguments), run.output())
                .isZero();
        return run.output();
    }

    /// How it ended, well or not.
    public Run end(String input, String... arguments) {
        try {
            Files.createDirectories(home);
            Path in = Files.writeString(Files.createTempFile(home, "in", ""), input);
            Path out = Files.createTempFile(home, "out", "");
            var process = builder(arguments)
                    .redirectInput(in.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            boolean ended = process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String output = Files.readString(out, StandardCharsets.UTF_8);
            assertThat(ended).as("%s has ended: %s", command, output).isTrue();
            return new Run(process.exitValue(), output);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private ProcessBuilder builder(String... arguments) {
        var builder = new ProcessBuilder(new ArrayList<>(command));
        builder.command().addAll(List.of(arguments));
        builder.directory(home.toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOME", home.toString(),
                        "XDG_RUNTIME_DIR", home.toString(),
                        "XDG_CONFIG_HOME", home.resolve(".config").toString(),
                        "COSIGN_PASSWORD", ""));
        builder.environment().keySet().removeAll(Set.of("REGISTRY_AUTH_FILE", "DOCKER_CONFIG")); // in the home, then
        return builder;
    }
}
