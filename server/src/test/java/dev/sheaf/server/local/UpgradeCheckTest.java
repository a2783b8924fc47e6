package dev.sheaf.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.Main;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.maintenance.backup.BackupFolder;
import dev.sheaf.server.schema.Migrations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpgradeCheckTest {
    @TempDir
    private Path data;

    private record Run(ServerExit exit, String out, String err) {}

    private Run check(String... more) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var arguments = new ArrayList<>(List.of("admin", "upgrade-check", "--data-dir", data.toString()));
        arguments.addAll(List.of(more));
        var exit = Main.run(arguments, Map.of(), new PrintStream(out, true), new PrintStream(err, true));
        return new Run(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// Makes a database that the migrations have not run on.
    private void behind() throws IOException {
        Files.createFile(data.resolve("sheaf.db"));
    }

    @Test
    void namesTheMigrationsAndWritesNothing() throws Exception {
        behind();
        byte[] before = Files.readAllBytes(data.resolve("sheaf.db"));

        var run = check();

        assertThat(run.exit()).isEqualTo(ServerExit.OK);
        assertThat(run.out())
                .contains("ok       schema    schema 0 becomes ", ": 23 (baseline)")
                .contains("warning  way back  the running release cannot start again; to go back, restore a backup")
                .contains(
                        "warning  backup    no backup in " + data.resolve("backups") + "; make one: sheaf admin backup")
                .contains("ok       room      ");
        assertThat(Files.readAllBytes(data.resolve("sheaf.db"))).isEqualTo(before);
    }

    @Test
    void knowsTheAgeOfTheNewestBackup() throws Exception {
        behind();
        var folder = Files.createDirectories(data.resolve("backups/2026-11-01T00-00-00.000Z"));
        assertThat(new BackupFolder(data.resolve("backups")).latest()).contains(folder);

        assertThat(check().out()).contains("ok       backup    the newest in ", " is 0 hours old");

        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(Duration.ofHours(49))));
        assertThat(check().out()).contains("warning  backup    the newest in ", "; make a new one: sheaf admin backup");
    }

    @Test
    void saysSoIfNothingWillRun() {
        Migrations.migrate(data.resolve("sheaf.db"));

        var run = check();

        assertThat(run.exit()).isEqualTo(ServerExit.OK);
        assertThat(run.out()).contains("; no migration will run").doesNotContain("backup");
    }

    @Test
    void printsJson() throws Exception {
        behind();

        assertThat(check("--json").out())
                .startsWith("[{\"level\":\"ok\",\"part\":\"settings\",\"detail\":\"this program can read them\"},");
    }

    @Test
    void refusesWhatIsNoInstallationAndSettingsThatAreWrong() throws Exception {
        assertThat(check().err()).contains("the data directory " + data + " contains no database");
        assertThat(check("twice").err()).contains("unexpected argument twice");

        behind();
        assertThat(check("--port", "-1").exit()).isEqualTo(ServerExit.USAGE);
    }
}
