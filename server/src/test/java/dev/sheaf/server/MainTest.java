package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.node.DataDir;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.TestApp;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void saysHowItIsUsed() {
        assertThat(run("--help")).isEqualTo(ServerExit.OK);
        assertThat(text(out)).startsWith("Usage: sheaf serve");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void namesEveryExitCodeInItsUsage() {
        run("--help");

        assertThat(Arrays.stream(ServerExit.values()).map(ServerExit::code))
                .allSatisfy(code -> assertThat(text(out)).containsPattern("[ \n]" + code + " +[a-z]"));
        assertThat(Arrays.stream(ServerExit.values()).map(ServerExit::code))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void theHelpOfLocalUpkeepNamesTasksAndFlags() {
        assertThat(run("admin", "restore", "--help")).isEqualTo(ServerExit.OK);
        assertThat(text(out))
                .startsWith("Usage: sheaf admin TASK --local")
                .contains("restore BACKUP", "backup [DIR]", "--unsealed ", "--without-damaged ", "fsck", "scrub");
    }

    @Test
    void theSettingsAreNoJson() {
        assertThat(run("config", "--json")).isEqualTo(ServerExit.USAGE);
        assertThat(text(err)).contains("sheaf config has no --json");
    }

    @Test
    void refusesToGuessACommand() {
        assertThat(run()).isEqualTo(ServerExit.USAGE);
        assertThat(text(err)).startsWith("Usage: sheaf serve");

        assertThat(run("server")).isEqualTo(ServerExit.USAGE);
        assertThat(text(err)).contains("sheaf: unknown command server");
    }

    @Test
    void refusesFlagsThatAreNone() {
        assertThat(run("config", "8080")).isEqualTo(ServerExit.USAGE);
        assertThat(run("config", "-p", "8080")).isEqualTo(ServerExit.USAGE);
        assertThat(run("config", "--port")).isEqualTo(ServerExit.USAGE);
        assertThat(run("config", "--prot", "1")).isEqualTo(ServerExit.USAGE);
        assertThat(text(err))
                .contains(
                        "unexpected argument 8080",
                        "unexpected argument -p",
                        "--port needs a value; it must be",
                        "unknown setting --prot; `sheaf config` lists all of them; did you mean --port?",
                        "  see: sheaf config --help")
                .doesNotContain("Exception");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void takesFlagsInBothSpellings() {
        assertThat(run("config", "--port", "81", "--host=::1", "--database-url=jdbc:postgresql://h/db?a=b"))
                .isEqualTo(ServerExit.OK);
        assertThat(text(out))
                .containsPattern("port += 81 ")
                .containsPattern("host += ::1 ")
                .contains("jdbc:postgresql://h/db?a=b");
    }

    @Test
    void saysThatThePortIsTaken(@TempDir Path folder) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            assertThat(run("serve", "--port", port, "--data-dir", folder.toString(), "--log-level", "warn"))
                    .isEqualTo(ServerExit.PORT_TAKEN);

            assertThat(text(err))
                    .contains("cannot listen on 127.0.0.1:" + port, "--port")
                    .doesNotContain("\tat ");
        }
        try (var data = DataDir.open(folder)) {
            assertThat(data.bootstrapKey())
                    .as("the first key is for the start that shows it")
                    .doesNotExist();
        }
    }

    /// A start that could not be leaves nothing behind, whether the folder was there or not.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTakenPortLeavesNoDataFolder(boolean there, @TempDir Path folder) throws Exception {
        Path data = there ? Files.createDirectory(folder.resolve("data")) : folder.resolve("data");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            assertThat(run("serve", "--port", port, "--data-dir", data.toString(), "--log-level", "warn"))
                    .isEqualTo(ServerExit.PORT_TAKEN);
        }
        if (there) {
            assertThat(data).isEmptyDirectory();
        } else {
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void saysThatTheAddressIsNoneOfThisMachine(@TempDir Path folder) {
        assertThat(run("serve", "--port", "0", "--host", "192.0.2.1", "--data-dir", folder.toString()))
                .isEqualTo(ServerExit.PORT_TAKEN);

        assertThat(text(err)).contains("cannot listen on 192.0.2.1:0");
    }

    @Test
    void saysThatTheDataDirectoryIsLocked(@TempDir Path folder) {
        try (var held = DataDir.open(folder)) {
            assertThat(run("serve", "--port", "0", "--data-dir", folder.toString(), "--log-level", "warn"))
                    .isEqualTo(ServerExit.DATA_DIR_LOCKED);
            assertThat(text(err)).contains("is in use by another process");
            assertThat(held.bootstrapKey()).doesNotExist();
        }
    }

    @Test
    void looksAfterStorageThatNoServerUses(@TempDir Path folder) {
        TestApp.start(folder).close();
        String[] where = {"--data-dir", folder.toString(), "--log-level", "error"};

        assertThat(run("admin", "stats", "--local", where[0], where[1], where[2], where[3]))
                .isEqualTo(ServerExit.OK);
        assertThat(text(out)).contains("engine               sqlite", "blobs                0");
        assertThat(run("admin", "gc", "--local", "--dry-run", "--json", where[0], where[1], where[2], where[3]))
                .isEqualTo(ServerExit.OK);
        assertThat(text(out)).contains("\"counts\":{");
        assertThat(run("admin", "rm", "--local", where[0], where[1])).isEqualTo(ServerExit.USAGE);
        assertThat(run("admin", "--local", where[0], where[1])).isEqualTo(ServerExit.USAGE);
        assertThat(text(err))
                .contains(
                        "the task rm does not exist; the tasks are stats, restore, audit-verify, backup, fsck, gc",
                        "name a task: sheaf admin TASK --local");
        try (var held = DataDir.open(folder)) {
            assertThat(held.root()).isEqualTo(folder);
            assertThat(run("admin", "gc", "--local", where[0], where[1])).isEqualTo(ServerExit.DATA_DIR_LOCKED);
            assertThat(text(err)).contains("leave out --local");
        }
    }

    @Test
    void aCheckThatFindsAFaultFails(@TempDir Path folder) throws SQLException {
        try (var app = TestApp.start(folder)) {
            app.push("acme/kit", "1.0.0", "public", "# Kit");
        }
        String[] check = {"admin", "fsck", "--local", "--data-dir", folder.toString(), "--log-level", "error"};
        assertThat(run(check)).as(text(out)).isEqualTo(ServerExit.OK);

        try (var database = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("sheaf.db"));
                var statement = database.createStatement()) {
            statement.execute("DELETE FROM asset");
        }

        assertThat(run(check)).as(text(out)).isEqualTo(ServerExit.FAILED);
    }

    @Test
    void saysWhichDatabaseCannotBeReached(@TempDir Path folder) {
        int port = Ports.free();
        assertThat(run(
                        "serve",
                        "--port",
                        "0",
                        "--data-dir",
                        folder.toString(),
                        "--log-level",
                        "error",
                        "--start-wait-seconds",
                        "0",
                        "--database-url",
                        "jdbc:postgresql://127.0.0.1:" + port + "/x?user=me&password=hush"))
                .isEqualTo(ServerExit.DATABASE_UNREACHABLE);

        assertThat(text(err))
                .contains("the database cannot be opened: Connection refused (database-url is"
                        + " jdbc:postgresql://127.0.0.1:" + port + "/x)")
                .doesNotContain("hush");
        DataDir.open(folder).close();
    }

    @Test
    void saysThatTheDatabaseFileIsNone(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("sheaf.db"), "this is no database, but it is longer than a header".repeat(9));

        assertThat(run("serve", "--port", "0", "--data-dir", folder.toString(), "--log-level", "error"))
                .isEqualTo(ServerExit.DATABASE_UNREACHABLE);

        assertThat(text(err)).contains("the database cannot be opened").doesNotContain("\tat ");
    }

    private ServerExit run(String... arguments) {
        return Main.run(List.of(arguments), Map.of(), print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream from) {
        return from.toString(StandardCharsets.UTF_8);
    }
}
