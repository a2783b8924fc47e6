package dev.sheaf.server.testing.program;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The real PgBouncer before the PostgreSQL of the tests. In transaction mode a connection of a client has another one
/// to
/// the server in each transaction.
public final class PgBouncer implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(20);

    private final int port;
    private final String database;
    private final Path folder;
    private Process process;

    private PgBouncer(int port, String database, Path folder) throws IOException {
        this.port = port;
        this.database = database;
        this.folder = folder;
        this.process = launch();
    }

    /// Starts it before a database in transaction mode; skips the test that asks where it is not installed.
    public static PgBouncer before(PostgresDatabase.Settings settings, Path folder) throws IOException {
        return before(settings, folder, "transaction");
    }

    /// @param mode how long a client keeps its connection to the server: `transaction` or `session`
    public static PgBouncer before(PostgresDatabase.Settings settings, Path folder, String mode) throws IOException {
        Tool.assumeInstalled("pgbouncer", "pgbouncer");
        var server = URI.create(settings.jdbcUrl().substring("jdbc:".length()));
        int port = Ports.free();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x")); // it leaves root behind
        var users = Files.writeString(folder.resolve("users"), "\"postgres\" \"postgres\"\n");
        Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d user=postgres password=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = %s
                default_pool_size = 40
                max_client_conn = 200
                %s
                """.formatted(
                        server.getPort(), port, users, mode, isRoot() ? "user = nobody" : ""));
        return new PgBouncer(port, server.getPath(), folder);
    }

    private Process launch() throws IOException {
        var launched = new ProcessBuilder(
                        "pgbouncer", folder.resolve("pgbouncer.ini").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                .start();
        Eventually.within(LONGEST_START, () -> answers(port));
        return launched;
    }

    /// Ends it with all its connections and starts it again at the same port.
    public void restart() throws IOException {
        close();
        process = launch();
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static boolean answers(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + database;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
