package dev.sheaf.cli.admin;

import dev.sheaf.cli.account.UserCommands;
import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.InstallationAdmin;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.TaskKind;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/// The commands of `sheaf admin`; [TaskCommands] has those about tasks.
public final class AdminCommands {
    private static final String READ_ONLY = "read-only";
    private static final String WRITABLE = "writable";
    private static final String ENTRY = "[0-9]{1,18}:[0-9a-f]{64}";

    private AdminCommands() {}

    public static CommandGroup of(Supplier<Connection> connections, Shell shell) {
        var group = new CommandGroup(
                        connections,
                        "admin",
                        "Maintains an installation. Needs an admin key of its first organization.",
                        "With --local, TASK runs on the storage itself, without a server: sheaf admin TASK --local "
                                + "[--data-dir DIR].")
                .add(AdminCommands::stats);
        TaskCommands.ORDER.forEach(kind -> group.add(connection -> TaskCommands.run(kind, connection)));
        return group.add(
                        new ServerCommand(
                                shell,
                                "admin restore",
                                "Restores a backup into a new installation. sheaf admin restore BACKUP --data-dir DIR [--dry-run]"))
                .add(
                        new ServerCommand(
                                shell,
                                "admin upgrade-check",
                                "Says what an upgrade would change. sheaf admin upgrade-check [--data-dir DIR] [--config FILE]"))
                .add(new CommandGroup(connections, "audit", "Verifies the audit log, or exports it.")
                        .add(AdminCommands::verifyAudit)
                        .add(AdminCommands::exportAudit))
                .add(UserCommands.of(connections))
                .add(AdminCommands::health)
                .add(AdminCommands::mode)
                .add(TaskCommands::list)
                .add(TaskCommands::cancel);
    }

    private static CliCommand stats(Connection connection) {
        var command = ResourceCommand.of(
                connection, SheafClient::upkeep, "stats", "Shows what the installation contains, in numbers.");
        return command.run(upkeep -> {
            var stats = upkeep.stats();
            var summary = new Summary();
            stats.forEach(summary::line);
            command.output.show(stats, summary::print, stats::values);
        });
    }

    private static CliCommand verifyAudit(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "verify",
                "Verifies that no entry of the audit log was changed or removed. Prints its last entry.",
                "With --local it needs no server.");
        var expected = command.option(
                "--expect", "SEQ:HASH", "The last entry, as an earlier run printed it. It must still be in the log.");
        return command.check(() -> command.refuse(
                        expected.isGiven() && !expected.or("").matches(ENTRY),
                        "--expect takes SEQ:HASH, the last entry that an earlier run printed"))
                .exit(client -> {
                    var status = TaskCommands.runAndWait(TaskKind.AUDIT_VERIFY, client.upkeep(), command.output);
                    if (status == ExitCode.OK && expected.isGiven()) {
                        command.output.say(compared(expected.or(""), client));
                    }
                    return status;
                });
    }

    private static String compared(String expected, SheafClient client) {
        long seq = Long.parseLong(expected.substring(0, expected.indexOf(':')));
        String found = client.audit().at(seq).map(AuditRecord::hash).orElse("nothing");
        if (!expected.endsWith(":" + found)) {
            throw new SheafException.Integrity("the audit log has a different entry at " + seq + ": " + found
                    + "; an older state of the database was restored, or the log was created again");
        }
        return "the entry " + seq + " is as expected";
    }

    /// Writes the log itself, and so has no other form of its result.
    private static CliCommand exportAudit(Connection connection) {
        return new AuditExport(connection);
    }

    private static final class AuditExport extends CliCommand {
        private final OptionalValue<String> organization = option(
                "--organization",
                "HANDLE",
                "The organization whose log to export, for its admins. Default: the log of the installation.");
        private final OptionalValue<Path> file =
                option(Path.class, "-o --output", "FILE", "A new file to write. Default: standard output.");

        AuditExport(Connection connection) {
            super("export", "Writes the whole log as JSON lines, the oldest entry first.");
            use(connection);
            setWork(() -> {
                Path target = file.get();
                try (var client = connection.open()) {
                    if (target == null) {
                        client.audit()
                                .export(organization.get(), connection.shell().out());
                    } else {
                        client.audit().export(organization.get(), target);
                        connection.shell().say("wrote " + target);
                    }
                }
                return ExitCode.OK;
            });
        }
    }

    private static CliCommand health(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                SheafClient::upkeep,
                "health",
                "Shows the health of the node that answers, part by part, and whether it is read-only.",
                "The exit status is 1 if the node is not ready.");
        return command.exit(upkeep -> {
            var health = upkeep.health();
            var summary = new Summary().line("status", health.status());
            var mode = health.mode();
            command.output.show(
                    health,
                    shell -> {
                        (mode == null ? summary : describe(mode, summary)).print(shell);
                        new Table<NodeHealth.Part>()
                                .column("PART", NodeHealth.Part::name)
                                .column("STATUS", NodeHealth.Part::status)
                                .column("DETAIL", part -> part.detail() == null ? "" : part.detail())
                                .print(shell, health.parts(), "");
                    },
                    () -> List.of(health.status()));
            return health.status().equals("down") ? ExitCode.GENERAL : ExitCode.OK;
        });
    }

    private static String word(ModeRecord mode) {
        return mode.readOnly() ? READ_ONLY : WRITABLE;
    }

    private static Summary describe(ModeRecord mode, Summary summary) {
        return summary.line("mode", word(mode)).line("reason", mode.reason()).line("set by", mode.setBy());
    }

    private static CliCommand mode(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                SheafClient::upkeep,
                "mode",
                "Shows or sets the mode of the installation: read-only or writable.",
                "While it is read-only, requests that change something get 503; pulls, sign-ins and tokens still work.",
                "The setting read-only of a node wins: the exit status is 1 if it keeps the node that answers read-only.");
        var mode =
                command.optionalArgument("read-only|writable", "The new mode. Without it, the current mode is shown.");
        var reason = command.option(
                "--reason", "TEXT", "The reason for read-only, shown to clients whose requests are refused.");
        return command.exit(upkeep -> setMode(upkeep, mode, reason, command));
    }

    private static ExitCode setMode(
            InstallationAdmin upkeep,
            OptionalValue<String> mode,
            OptionalValue<String> reason,
            ResourceCommand<InstallationAdmin> command) {
        var output = command.output;
        String wanted = mode.get();
        if (wanted != null && !wanted.equals(READ_ONLY) && !wanted.equals(WRITABLE)) {
            output.fail("the mode must be read-only or writable, not " + wanted);
            return ExitCode.USAGE;
        }
        if (reason.isGiven() && !READ_ONLY.equals(wanted)) {
            output.fail("--reason explains refusals, so it goes only with read-only");
            return ExitCode.USAGE;
        }
        var now = wanted == null ? upkeep.mode() : upkeep.setMode(wanted.equals(READ_ONLY), reason.get());
        output.one(now, word(now), describe(now, new Summary()));
        if (WRITABLE.equals(wanted) && now.readOnly()) {
            output.fail(
                    "the installation is writable, but the setting read-only of the node that answered wins: change it"
                            + " to false there");
            return ExitCode.GENERAL;
        }
        return ExitCode.OK;
    }
}
