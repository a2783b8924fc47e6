package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.Outdated;
import dev.sheaf.client.api.PullOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(name = "outdated", description = "Lists installed bundles that an update would change. Writes nothing.")
public final class OutdatedCommand extends ProjectCommand {
    public OutdatedCommand(Connection connection) {
        super(connection);
    }

    /// The JSON of an entry.
    record Shown(
            String bundle,
            String range,
            @Nullable String installed,
            @Nullable String wanted,
            @Nullable String latest,
            @Nullable ShownYank yanked) {
        static Shown of(Outdated entry) {
            return new Shown(
                    entry.bundle().toString(),
                    entry.range(),
                    text(entry.current()),
                    text(entry.wanted()),
                    text(entry.latest()),
                    ShownYank.of(entry.yanked()));
        }

        private static @Nullable String text(@Nullable Object value) {
            return value == null ? null : value.toString();
        }
    }

    @Override
    protected ExitCode run(Installation installation) {
        var outdated = installation.outdated(PullOptions.DEFAULT.refresh(true));
        var all = outdated.stream().map(Shown::of).toList();
        var table = new Table("BUNDLE", "INSTALLED", "WANTED", "LATEST", "RANGE");
        all.forEach(
                one -> table.row(one.bundle(), or(one.installed()), or(one.wanted()), or(one.latest()), one.range()));
        output.list(all, Shown::bundle, table, "everything is up to date");
        outdated.stream().filter(one -> one.yanked() != null).forEach(one -> output.note(one.yanked() + ways(one)));
        return ExitCode.OK;
    }

    /// Returns what an update would do about a yanked version, as the rest of a sentence.
    private static String ways(Outdated one) {
        var wanted = one.wanted();
        var latest = one.latest();
        if (wanted != null && !wanted.equals(one.current())) {
            return "; to update it: sheaf update " + one.bundle();
        }
        return latest == null || latest.equals(one.current())
                ? "; there is no newer version"
                : "; there is no newer version in " + one.range() + "; outside of it: sheaf add " + one.bundle() + ":^"
                        + latest;
    }

    private static String or(@Nullable String version) {
        return version == null ? "-" : version;
    }
}
