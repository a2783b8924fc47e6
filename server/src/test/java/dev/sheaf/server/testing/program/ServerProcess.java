package dev.sheaf.server.testing.program;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server as a process of its own, for tests that kill it.
public final class ServerProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final int WAIT_SECONDS = 100;
    private static final Path UNPACKED = Path.of("target", "native").toAbsolutePath();

    private final Process process;
    private final Path dataDir;
    private final String url;
    private final List<String> log;
    private @Nullable Thread reader;

    private ServerProcess(Process process, Path dataDir, String url, List<String> log) {
        this.process = process;
        this.dataDir = dataDir;
        this.url = url;
        this.log = log;
    }

    /// Starts a server on a free port and waits until it is up.
    public static ServerProcess start(Path dataDir) throws IOException {
        return start(dataDir, List.of(), List.of());
    }

    /// The same with further options of the JVM and flags of the server.
    public static ServerProcess start(Path dataDir, List<String> options, List<String> flags) throws IOException {
        return start(dataDir, options, flags, Map.of());
    }

    /// The same with further variables of the environment.
    public static ServerProcess start(
            Path dataDir, List<String> options, List<String> flags, Map<String, String> environment)
            throws IOException {
        String path = System.getProperty("java.class.path");
        var arguments = new ArrayList<>(List.of("serve", "--data-dir", dataDir.toString()));
        if (flags.stream().noneMatch(flag -> flag.startsWith("--port"))) {
            arguments.addAll(List.of("--port", "0"));
        }
        for (String rate :
                List.of("content", "runner", "anonymous-reads", "reads", "writes", "failed-authentications")) {
            arguments.add("--rate-" + rate + "=0");
        }
        arguments.addAll(flags);
        var all = new ArrayList<>(options);
        all.add("-Dorg.sqlite.tmpdir=" + Files.createDirectories(UNPACKED)); // which a kill leaves behind
        var process = launch(path, all, arguments, environment);
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var log = new CopyOnWriteArrayList<String>();
        String line = out.readLine();
        while (line != null && !line.startsWith("Sheaf is up at ")) {
            log.add(line);
            line = out.readLine();
        }
        if (line == null) {
            process.destroyForcibly();
            throw new IllegalStateException("the server did not start: " + log);
        }
        var server = new ServerProcess(process, dataDir, line.split(" ")[4], log);
        server.reader = Thread.ofVirtual().start(() -> server.read(out));
        return server;
    }

    /// Its log, also among the tests' own.
    private void read(BufferedReader out) {
        try {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                LOG.info(line);
                log.add(line);
            }
        } catch (IOException e) {
            LOG.debug("the server is gone", e);
        }
    }

    private static Process launch(
            String path, List<String> options, List<String> arguments, Map<String, String> environment)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.add("-Dlogback.configurationFile=logback.xml"); // the program's own, not the tests' own
        command.addAll(List.of("-cp", path, "dev.sheaf.server.Main"));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("SHEAF_"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /// How a run that ends by itself ended.
    public record Ended(int code, String output) {}

    /// Runs the server program until it ends by itself.
    public static Ended run(String... arguments) throws IOException, InterruptedException {
        return run(List.of(), arguments);
    }

    /// The same with further options of the JVM.
    public static Ended run(List<String> options, String... arguments) throws IOException, InterruptedException {
        var process = launch(System.getProperty("java.class.path"), options, List.of(arguments), Map.of());
        var output = CompletableFuture.supplyAsync(
                () -> new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                        .lines()
                        .collect(Collectors.joining("\n")));
        if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly(); // only now: it closes the stream, which may not be read to its end yet
            throw new IllegalStateException("the server did not end: " + output.join());
        }
        return new Ended(process.exitValue(), output.join());
    }

    public String url() {
        return url;
    }

    public int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /// The id that Linux has given to a thread of the server, the oldest of that name.
    ///
    /// @param name of which the system keeps 15 characters
    public long thread(String name) {
        String kept = name.substring(0, Math.min(name.length(), 15));
        var found = new ArrayList<Long>();
        Eventually.within(Duration.ofSeconds(WAIT_SECONDS), () -> found.addAll(threads(kept)));
        return Collections.min(found);
    }

    private List<Long> threads(String name) {
        try (var tasks = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            return tasks.filter(task -> name(task).equals(name))
                    .map(task -> Long.parseLong(task.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException e) {
            LOG.debug("{} has just ended", task, e);
            return "";
        }
    }

    public Secret adminKey() throws IOException {
        return Secret.of(Files.readString(dataDir.resolve("bootstrap").resolve("admin-api-key"))
                .strip());
    }

    /// `kill -9`; returns once the process is gone.
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /// Sends SIGTERM and goes on.
    public void terminate() {
        process.destroy();
    }

    /// The exit code, once the process has ended.
    public int exitCode() throws InterruptedException {
        if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the server did not end");
        }
        return process.exitValue();
    }

    /// Waits until that many lines of the log contain the text. What a process prints in its last moments can be
    /// lost, because Java closes the pipe when the process ends.
    public void awaitLog(String text, int lines) {
        Eventually.within(
                Duration.ofSeconds(WAIT_SECONDS),
                () -> log.stream().filter(line -> line.contains(text)).count() >= lines);
    }

    /// Stops the server as its operator does; everything that it printed but its welcome, and perhaps its last lines.
    public List<String> stop() throws InterruptedException {
        terminate();
        exitCode();
        Objects.requireNonNull(reader).join();
        return List.copyOf(log);
    }

    @Override
    public void close() {
        kill();
    }
}
