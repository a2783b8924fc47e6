package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program as its operator meets it: first start, what stops it from starting, and how it ends.
class ServeTest {
    @TempDir
    private Path folder;

    @Test
    void theFirstStartMakesOneKeyThatOnlyItsOwnerCanRead() throws Exception {
        Path data = folder.resolve("data");
        String first;
        try (var server = ServerProcess.start(data)) {
            first = server.adminKey().expose();
        }
        Path file = data.resolve("bootstrap").resolve("admin-api-key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        try (var server = ServerProcess.start(data)) {
            assertThat(server.adminKey().expose()).isEqualTo(first);
        }
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var ended = ServerProcess.run(
                    "serve",
                    "--port",
                    Integer.toString(taken.getLocalPort()),
                    "--data-dir",
                    folder.resolve("d").toString());

            assertThat(ended.code()).isEqualTo(ServerExit.PORT_TAKEN.code());
            assertThat(ended.output())
                    .contains(Integer.toString(taken.getLocalPort()), "--port")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void aLockedDataDirectoryIsNamed() throws Exception {
        Path data = folder.resolve("data");
        try (var _ = ServerProcess.start(data)) {
            var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", data.toString());

            assertThat(ended.code()).isEqualTo(ServerExit.DATA_DIR_LOCKED.code());
            assertThat(ended.output())
                    .contains(data.toString(), "another process")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void aDataDirectoryThatIsAFileIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", file.toString());

        assertThat(ended.code()).isEqualTo(ServerExit.DATA_DIR_UNUSABLE.code());
        assertThat(ended.output()).contains(file.toString(), "--data-dir").doesNotContain("\tat ");
    }

    @Test
    void aDatabaseOfANewerProgramIsRefused() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Databases.sqlite(data.resolve("sheaf.db"), InstantSource.system()).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("sheaf.db"));
                var statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO flyway_schema_history
                        (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                    VALUES (99, '999', 'from the future', 'SQL', 'V999__future.sql', 1, 'test', 1, 1)""");
            statement.execute("UPDATE setting SET value = '999' WHERE name = 'oldest-schema'");
        }

        var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", data.toString());

        assertThat(ended.code()).isEqualTo(ServerExit.UNFIT_SCHEMA.code());
        assertThat(ended.output()).contains("999", "newer").doesNotContain("\tat ");
    }

    @Test
    void anotherMasterKeyThanTheInstallationsIsRefused() throws Exception {
        Path data = folder.resolve("data");
        ServerProcess.start(data).close();
        Files.delete(data.resolve("secrets").resolve("master-key"));

        var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", data.toString());

        assertThat(ended.code()).isEqualTo(ServerExit.WRONG_MASTER_KEY.code());
        assertThat(ended.output()).contains("master-key").doesNotContain("\tat ");
    }

    @Test
    void anUnreachableDatabaseIsNamed() throws Exception {
        var ended = ServerProcess.run(
                "serve",
                "--port",
                "0",
                "--data-dir",
                folder.resolve("d").toString(),
                "--start-wait-seconds",
                "0",
                "--database-url",
                "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/sheaf");

        assertThat(ended.code()).isEqualTo(ServerExit.DATABASE_UNREACHABLE.code());
        assertThat(ended.output()).contains("refused").doesNotContain("\tat ");
    }

    @Test
    void aStopClosesThePortAndIdleConnectionsFinishesRunningRequestsAndEndsWithZero() throws Exception {
        try (var server = ServerProcess.start(folder.resolve("data"));
                var running = new Socket(InetAddress.getLoopbackAddress(), server.port());
                var waiting = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String body = """
                    {"version": "1.0.0", "manifest": [{"logicalPath": "a", "contentText": "x"}]}""";
            String head = """
                    POST /v1/namespaces/slow/bundles/kit:push HTTP/1.1\r
                    Host: localhost\r
                    Authorization: Bearer %s\r
                    Content-Type: application/json\r
                    Expect: 100-continue\r
                    Content-Length: %d\r
                    \r
                    """.formatted(server.adminKey().expose(), body.length());
            send(running.getOutputStream(), head);
            assertThat(readHead(running.getInputStream())).startsWith("HTTP/1.1 100"); // its handler waits for the body

            server.terminate();
            Eventually.within(Duration.ofSeconds(60), () -> isRefused(server.port()));
            assertThat(waiting.getInputStream().read())
                    .as("the idle connection")
                    .isEqualTo(-1);
            send(running.getOutputStream(), body);

            assertThat(readHead(running.getInputStream())).startsWith("HTTP/1.1 201");
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void aNodeThatDrainsServesOnButIsNotReady() throws Exception {
        try (var server = ServerProcess.start(folder.resolve("data"), List.of(), List.of("--drain-seconds", "60"))) {
            server.terminate();
            Eventually.within(
                    Duration.ofSeconds(60),
                    () -> head(server.port(), "/health/ready").startsWith("HTTP/1.1 503"));

            assertThat(head(server.port(), "/v1/hub/bundles"))
                    .startsWith("HTTP/1.1 200")
                    .contains("Connection: close");
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void systemdLearnsThatTheServerIsUpAndThatItStops() throws Exception {
        Path said = folder.resolve("said");
        Path program = Files.writeString(folder.resolve("systemd-notify"), "#!/bin/sh\necho $1 >>" + said + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        var environment = Map.of("NOTIFY_SOCKET", "/run/none", "PATH", folder + ":" + System.getenv("PATH"));

        try (var server = ServerProcess.start(folder.resolve("data"), List.of(), List.of(), environment)) {
            Eventually.within(Duration.ofSeconds(60), () -> lines(said).equals(List.of("READY=1")));
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
        Eventually.within(Duration.ofSeconds(60), () -> lines(said).equals(List.of("READY=1", "STOPPING=1")));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String head(int port, String path) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            send(socket.getOutputStream(), "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            return readHead(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRefused(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String readHead(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("the connection ended after: " + head);
            }
            head.append((char) c);
        }
        return head.toString();
    }
}
