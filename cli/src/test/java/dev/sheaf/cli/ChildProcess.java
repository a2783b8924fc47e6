package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Programs in a process of their own, with an environment of their own and a home in a test's folder.
public final class ChildProcess {
    private static final int LONGEST_SECONDS = 100;

    private final Path folder;
    private final Map<String, String> environment;
    private int count;

    public ChildProcess(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /// Skips the test that asks where the program is not on the path.
    ///
    /// @param debian what to install
    public static void assumeInstalled(String program, String debian) {
        boolean found = Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getenv("PATH"))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
        assumeTrue(found, program + " is not installed (Debian's package " + debian + ")");
    }

    public record Ran(int status, String out, String err) {
        /// Returns what it said, without how long it waits, which a busy machine makes it say.
        public String said() {
            return err.lines().filter(line -> !line.startsWith("waiting for ")).collect(Collectors.joining("\n"));
        }
    }

    /// The command line of `sheaf` without its arguments.
    public static List<String> sheaf(String... javaOptions) {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(javaOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.sheaf.cli.Main"));
        return command;
    }

    public Ran run(String input, List<String> command) throws IOException, InterruptedException {
        Path in = Files.writeString(folder.resolve("in-" + ++count), input);
        Path out = folder.resolve("out-" + count);
        Path err = folder.resolve("err-" + count);
        var builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("HOME", folder.resolve("home").toString());
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS))
                    .as("%s within %d s", command.getLast(), LONGEST_SECONDS)
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
