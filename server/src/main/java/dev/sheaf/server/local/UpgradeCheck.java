package dev.sheaf.server.local;

import dev.sheaf.server.config.CommandFlags;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.maintenance.backup.BackupFolder;
import dev.sheaf.server.node.DataDir;
import dev.sheaf.server.node.DatabaseSetup;
import dev.sheaf.server.node.LogSetup;
import dev.sheaf.server.schema.Migrations;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `sheaf admin upgrade-check`: reports the changes that this program would make to an installation of an older
/// release, and whether the upgrade can go ahead. Writes nothing, so servers may run.
@Command(
        name = "sheaf admin upgrade-check",
        customSynopsis = "sheaf admin upgrade-check [--json] [--data-dir ./data] [--config FILE] [--SETTING VALUE]...",
        description = {
            "%nRun it with the new program and the settings of the installation, before the upgrade. It writes nothing, and"
                    + " servers may run.%n",
            "It reports the migrations that the upgrade would run, whether nodes of the running release can"
                    + " run alongside the new one and start again after it, and whether there is a recent backup and enough room.%n"
        },
        footer = "%nExit codes: 0 if the upgrade can go ahead; 1 if it must wait; else those of sheaf serve.")
public final class UpgradeCheck implements CommandFlags.Command {
    private static final Duration RECENT = Duration.ofDays(1);
    private static final double MIB = 1 << 20;

    private final PrintStream out;
    private final InstantSource clock;

    @Parameters(arity = "0..*", hidden = true)
    private List<String> operands = new ArrayList<>();

    @Option(names = "--json", description = "Prints the findings as JSON.")
    private boolean json;

    public UpgradeCheck(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    /// One line of the report.
    ///
    /// @param level `ok`, `warning`, or `stop` if the upgrade should wait
    public record Finding(String level, String part, String detail) {}

    public ServerExit run(List<String> arguments, Map<String, String> environment) throws Config.InvalidException {
        return CommandFlags.run(this, arguments, environment, out);
    }

    @Override
    public void parsed(Map<String, String> settings) {
        if (!operands.isEmpty()) {
            throw new StartException(ServerExit.USAGE, "unexpected argument " + operands.getFirst());
        }
    }

    @Override
    public ServerExit run(Config config) {
        LogSetup.start(config.text(Setting.LOG_LEVEL));
        var findings = findings(config);
        if (json) {
            out.println(new String(Json.write(findings), StandardCharsets.UTF_8));
        } else {
            findings.forEach(found -> out.printf("%-8s %-9s %s%n", found.level(), found.part(), found.detail()));
        }
        return findings.stream().anyMatch(found -> found.level().equals("stop")) ? ServerExit.FAILED : ServerExit.OK;
    }

    private List<Finding> findings(Config config) {
        boolean embedded = config.find(Setting.DATABASE_URL).isEmpty();
        Path file = DataDir.database(config.dataDir());
        if (embedded && !Files.exists(file)) {
            throw new StartException(
                    ServerExit.FAILED,
                    "the data directory " + config.dataDir() + " contains no database"
                            + "; name the installation with --data-dir or --config");
        }
        var plan = DatabaseSetup.plan(config, file);
        var findings = new ArrayList<Finding>();
        findings.add(new Finding("ok", "settings", "this program can read them"));
        findings.add(schema(plan));
        if (!plan.pending().isEmpty()) {
            findings.add(beside(plan, embedded));
            findings.add(back(plan));
            if (embedded) {
                findings.add(room(file));
            }
            findings.add(backup(config));
        }
        return findings;
    }

    private static Finding schema(Migrations.Plan plan) {
        if (plan.pending().isEmpty()) {
            return new Finding("ok", "schema", "the database has schema " + plan.found() + "; no migration will run");
        }
        return new Finding(
                "ok",
                "schema",
                "schema " + plan.found() + " becomes " + plan.known() + ": " + String.join(", ", plan.pending()));
    }

    private static Finding beside(Migrations.Plan plan, boolean embedded) {
        if (embedded) {
            return new Finding("ok", "nodes", "one node with embedded storage: stop it, then start this program");
        }
        return plan.servesPresent()
                ? new Finding(
                        "ok",
                        "nodes",
                        "nodes of the running release can run alongside the new one; replace them one at a time")
                : new Finding("warning", "nodes", "stop all nodes of the running release before the new one starts");
    }

    private static Finding back(Migrations.Plan plan) {
        return plan.servesPresent()
                ? new Finding("ok", "way back", "the running release can start again after the upgrade")
                : new Finding(
                        "warning", "way back", "the running release cannot start again; to go back, restore a backup");
    }

    /// Checks the free space. A migration may write each page of the database file again, to its log.
    private static Finding room(Path file) {
        try {
            long free = Files.getFileStore(file).getUsableSpace();
            long needed = 2 * Files.size(file);
            String detail =
                    String.format(Locale.ROOT, "%.0f MiB are free, %.0f MiB may be needed", free / MIB, needed / MIB);
            return new Finding(free < needed ? "stop" : "ok", "room", detail);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Finding backup(Config config) {
        var folder = config.find(Setting.BACKUP_DIR).map(Path::of).orElse(DataDir.backups(config.dataDir()));
        var latest = new BackupFolder(folder).latest();
        if (latest.isEmpty()) {
            return new Finding("warning", "backup", "no backup in " + folder + "; make one: sheaf admin backup");
        }
        var age = Duration.between(made(latest.get()), clock.instant());
        String detail = "the newest in " + folder + " is " + age.toHours() + " hours old";
        return age.compareTo(RECENT) > 0
                ? new Finding("warning", "backup", detail + "; make a new one: sheaf admin backup")
                : new Finding("ok", "backup", detail);
    }

    private static Instant made(Path backup) {
        try {
            return Files.getLastModifiedTime(backup).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
