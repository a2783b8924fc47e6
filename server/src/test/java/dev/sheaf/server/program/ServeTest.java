package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.config.Exit;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.InstantSource;
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

            assertThat(ended.code()).isEqualTo(Exit.PORT_TAKEN.code());
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

            assertThat(ended.code()).isEqualTo(Exit.DATA_DIR_LOCKED.code());
            assertThat(ended.output())
                    .contains(data.toString(), "another process")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void aDataDirectoryThatIsAFileIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", file.toString());

        assertThat(ended.code()).isEqualTo(Exit.DATA_DIR_UNUSABLE.code());
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
        }

        var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", data.toString());

        assertThat(ended.code()).isEqualTo(Exit.UNFIT_SCHEMA.code());
        assertThat(ended.output()).contains("999", "newer").doesNotContain("\tat ");
    }

    @Test
    void anotherMasterKeyThanTheInstallationsIsRefused() throws Exception {
        Path data = folder.resolve("data");
        ServerProcess.start(data).close();
        Files.delete(data.resolve("secrets").resolve("master-key"));

        var ended = ServerProcess.run("serve", "--port", "0", "--data-dir", data.toString());

        assertThat(ended.code()).isEqualTo(Exit.WRONG_MASTER_KEY.code());
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
                "--database-url",
                "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/sheaf");

        assertThat(ended.code()).isEqualTo(Exit.DATABASE_UNREACHABLE.code());
        assertThat(ended.output()).contains("refused").doesNotContain("\tat ");
    }

    @Test
    void aStopFinishesWhatRunsRefusesWhatIsNewAndEndsWithZero() throws Exception {
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
            String refused = untilRefused(waiting);
            send(running.getOutputStream(), body);

            assertThat(readHead(running.getInputStream())).startsWith("HTTP/1.1 201");
            assertThat(refused).contains("503", "Retry-After: 1", "Connection: close");
            assertThat(server.exitCode()).isZero();
        }
    }

    /// Asks on one connection until the server says that it is stopping.
    private static String untilRefused(Socket socket) throws IOException {
        for (int i = 0; i < 10_000; i++) {
            send(socket.getOutputStream(), "GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
            String head = readHead(socket.getInputStream());
            if (!head.startsWith("HTTP/1.1 200")) {
                return head;
            }
            int length = Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
            socket.getInputStream().readNBytes(length);
        }
        throw new IllegalStateException("the server goes on");
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
