package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.model.wire.bundle.UsageRow;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// Shows what a bundle is used with, and by which keys.
public final class UsageCommand {
    private static final int MOST = 10_000;

    private UsageCommand() {}

    public static CliCommand of(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "usage",
                "Lists the pulls of a bundle by day and client. The newest day is first. Numbers of fewer than 5 pulls from "
                        + "outside of its organization are not told.");
        var bundle = BundleCommands.bundle(command);
        var keys = command.flag(
                "--keys", "By key and workflow of the organization that owns the bundle. Needs the scope admin.");
        var from =
                command.option("--from", "DAY", "First day in UTC, such as 2026-01-15. Default: 29 days before --to.");
        var to = command.option("--to", "DAY", "Last day in UTC, at most 91 days later. Default: today.");
        return command.check(() -> {
                    day(command, "--from", from.get());
                    day(command, "--to", to.get());
                })
                .run(client -> {
                    var first = day(command, "--from", from.get());
                    var last = day(command, "--to", to.get());
                    var its = client.bundle(bundle.get());
                    if (keys.isGiven()) {
                        command.output.list(
                                its.usageByCredential(first, last, MOST),
                                UsageCommand::name,
                                new Table<UsageRow>()
                                        .column("DAY", UsageRow::day)
                                        .column("VERSION", UsageRow::version)
                                        .column("KEY", UsageCommand::name)
                                        .column("CLIENT", UsageRow::client),
                                "no key or workflow of the organization pulled " + bundle + " in this time");
                    } else {
                        command.output.list(
                                its.usage(first, last, MOST),
                                row -> row.day() + " " + row.version() + " " + row.client(),
                                new Table<UsageRow>()
                                        .column("DAY", UsageRow::day)
                                        .column("VERSION", UsageRow::version)
                                        .column("CLIENT", UsageRow::client)
                                        .number("PULLS", UsageRow::pulls)
                                        .number("OWN", UsageRow::own)
                                        .number("OTHERS", UsageCommand::others),
                                "no pulls of " + bundle + " to show in this time; fewer than 5 from outside a day are"
                                        + " not told");
                    }
                });
    }

    private static @Nullable LocalDate day(CliCommand command, String option, @Nullable String text) {
        try {
            return text == null ? null : LocalDate.parse(text);
        } catch (DateTimeException e) {
            throw command.misuse(option + " takes a day, such as 2026-01-15");
        }
    }

    /// Returns the pulls from outside; null if the reader does not see which pulls are from inside.
    private static @Nullable String others(UsageRow row) {
        if (row.own() == null) {
            return null;
        }
        return row.pulls() != null
                ? Long.toString(row.pulls() - row.own())
                : row.outsideBelow() == null ? null : "< " + row.outsideBelow();
    }

    /// Returns the name of the credential of a row.
    private static String name(UsageRow row) {
        return row.credentialName() == null ? "deleted " + row.credential() : row.credentialName();
    }
}
