package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.OutdatedBundle;
import dev.sheaf.client.api.PullOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command `sheaf outdated`.
public final class OutdatedCommand extends ProjectCommand {
    private static final Table<Shown> TABLE = new Table<Shown>()
            .column("BUNDLE", Shown::bundle)
            .column("INSTALLED", Shown::installed)
            .column("WANTED", Shown::wanted)
            .column("LATEST", Shown::latest)
            .column("RANGE", Shown::range);

    public OutdatedCommand(Connection connection) {
        super(connection, "outdated", "Lists installed bundles that an update would change. Writes nothing.");
    }

    /// The JSON of an entry.
    record Shown(
            String bundle,
            String range,
            List<String> requiredBy,
            @Nullable String installed,
            @Nullable String wanted,
            @Nullable String latest,
            @Nullable ShownYank yanked) {
        static Shown of(OutdatedBundle entry) {
            return new Shown(
                    entry.bundle().toString(),
                    entry.range(),
                    List.copyOf(entry.requiredBy()),
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
    ExitCode run(Installation installation) {
        var outdated = installation.outdated(PullOptions.DEFAULT.refresh(true));
        var all = outdated.stream().map(Shown::of).toList();
        output.list(all, Shown::bundle, TABLE, "everything is up to date");
        outdated.stream().filter(one -> one.yanked() != null).forEach(one -> output.note(one.yanked() + ways(one)));
        return outdated.stream()
                        .anyMatch(one -> one.yanked() != null && one.yanked().isRecalled())
                ? ExitCode.RECALLED
                : ExitCode.OK;
    }

    /// Returns what an update would do about a yanked version, as the rest of a sentence.
    private String ways(OutdatedBundle one) {
        if (!one.requiredBy().isEmpty()) {
            String by = String.join(" ", one.requiredBy());
            return "; " + by + " requires it; to look for another version: sheaf update" + project.words()
                    + "; to remove both: sheaf remove --recalled" + project.words();
        }
        var wanted = one.wanted();
        var latest = one.latest();
        if (wanted != null && !wanted.equals(one.current())) {
            return "; to update it: sheaf update " + one.bundle() + project.words();
        }
        return latest == null || latest.equals(one.current())
                ? "; there is no newer version"
                : "; there is no newer version in " + one.range() + "; outside of it: sheaf add " + one.bundle() + ":^"
                        + latest + project.words();
    }
}
