package dev.sheaf.server.testing.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A PostgreSQL of Debian as processes of its own, that writes to the disk as in production and that a test can stop,
/// freeze or replace by its replica. Its pages have checksums. It trusts everybody on this machine.
public final class DebianPostgres implements AutoCloseable {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";
    private static final int WAIT_SECONDS = 100;

    private final Path programs;
    private final Path data;
    private final int port;

    private DebianPostgres(Path programs, Path data, int port) {
        this.programs = programs;
        this.data = data;
        this.port = port;
    }

    /// A server with a database "sheaf", started; made if the folder is new. Skips the test that asks where it is not
    /// installed.
    ///
    /// @param folder to which the path must be open for everybody, since PostgreSQL refuses to run as root
    public static DebianPostgres open(Path folder, int port) throws IOException {
        var server = new DebianPostgres(programs(), owned(folder).resolve("data"), port);
        boolean isNew = !Files.exists(server.data);
        if (isNew) {
            server.run("initdb", "-k", "-A", "trust", "-E", "UTF8", "--no-locale", "-D", server.data.toString());
        }
        server.write();
        if (!server.isRunning()) {
            server.start();
        }
        if (isNew) {
            server.run("createdb", "-h", "127.0.0.1", "-p", "" + port, "sheaf");
        }
        return server;
    }

    /// A replica that streams from this server, started; this server waits for it with each commit.
    public DebianPostgres replica(Path folder, int port) throws IOException {
        var replica = new DebianPostgres(programs, owned(folder).resolve("data"), port);
        replica.run(
                "pg_basebackup",
                "-R",
                "-X",
                "stream",
                "-d",
                "host=127.0.0.1 port=" + this.port + " application_name=replica",
                "-D",
                replica.data.toString());
        replica.write();
        replica.start();
        write("synchronous_standby_names = 'replica'");
        run("pg_ctl", "-D", data.toString(), "reload");
        return replica;
    }

    private static Path programs() throws IOException {
        var newest = Optional.<Path>empty();
        if (Files.isDirectory(VERSIONS)) {
            try (var versions = Files.list(VERSIONS)) {
                newest = versions.max(Comparator.naturalOrder());
            }
        }
        assumeTrue(newest.isPresent(), "PostgreSQL is not installed (Debian's package postgresql)");
        return newest.orElseThrow().resolve("bin");
    }

    private static Path owned(Path folder) throws IOException {
        Files.createDirectories(folder);
        if (isRoot()) {
            var user = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
            Files.setOwner(folder, user);
        }
        return folder;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private void write(String... more) throws IOException {
        var lines = new ArrayList<>(List.of(
                "listen_addresses = '127.0.0.1'",
                "port = " + port,
                "unix_socket_directories = ''",
                "max_connections = 100",
                "max_wal_size = 256MB",
                "min_wal_size = 80MB"));
        lines.addAll(List.of(more));
        var file = data.resolve("postgresql.auto.conf");
        Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public void start() throws IOException {
        run("pg_ctl", "-w", "-l", data.resolveSibling("log").toString(), "-D", data.toString(), "start");
    }

    /// Whether it accepts connections.
    public boolean isUp() throws IOException {
        return end("pg_isready", "-q", "-h", "127.0.0.1", "-p", "" + port) == 0;
    }

    public boolean isRunning() throws IOException {
        return end("pg_ctl", "-D", data.toString(), "status") == 0;
    }

    /// Ends it without waiting for its clients.
    public void stop() throws IOException {
        run("pg_ctl", "-w", "-m", "fast", "-D", data.toString(), "stop");
    }

    /// Ends it as a crash does: no last words to its replica.
    public void crash() throws IOException {
        run("pg_ctl", "-w", "-m", "immediate", "-D", data.toString(), "stop");
    }

    /// Makes a replica the server that accepts writes.
    public void promote() throws IOException {
        run("pg_ctl", "-w", "-D", data.toString(), "promote");
    }

    /// Sends a signal such as STOP to each of its processes.
    public void signal(String name) throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
        var all = Stream.concat(
                        Stream.of(pid),
                        ProcessHandle.of(pid).orElseThrow().descendants().map(ProcessHandle::pid))
                .map(String::valueOf);
        ended(new ArrayList<>(Stream.concat(Stream.of("kill", "-" + name), all).toList()));
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public Path data() {
        return data;
    }

    private void run(String program, String... arguments) throws IOException {
        int code = end(program, arguments);
        if (code != 0) {
            throw new IllegalStateException(program + " ended with " + code);
        }
    }

    private int end(String program, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", USER, "--"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return ended(command);
    }

    private int ended(List<String> command) throws IOException {
        var process = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        if (isRunning()) {
            signal("CONT");
            crash();
        }
    }
}
