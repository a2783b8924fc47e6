package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.InstalledBundle;
import dev.sheaf.client.io.ShellWord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command `sheaf list`.
public final class ListCommand extends ProjectCommand {
    private record Row(Shown bundle, Shown.ShownThing thing) {}

    private static final Table<Row> TABLE = new Table<Row>()
            .column("NAME", row -> row.thing().name())
            .column("BUNDLE", row -> row.bundle().bundle())
            .column("VERSION", row -> row.bundle().version())
            .column("RANGE", row -> row.bundle().why())
            .column("PLACES", row -> String.join(" ", row.thing().places()));

    private final FlagOption check = flag("--check", "Exit with status 11 if a version that is installed is recalled.");

    public ListCommand(Connection connection) {
        super(
                connection,
                "list",
                "Lists what is installed here, and where. To list the bundles of a registry: sheaf bundles.");
        setAliases("ls");
        setHint(mistake -> mistake instanceof UnmatchedArgumentException unmatched
                        && !unmatched.getUnmatched().getFirst().startsWith("-")
                ? Optional.of("to list the bundles of a registry: sheaf bundles "
                        + ShellWord.of(unmatched.getUnmatched().getFirst()))
                : Optional.empty());
    }

    /// The JSON of a bundle.
    record Shown(
            String bundle,
            String registry,
            String range,
            String version,
            String digest,
            @Nullable ShownYank yanked,
            List<String> requiredBy,
            List<ShownThing> things) {
        record ShownThing(String name, List<String> places) {
            /// Stands for a bundle that others require and that has nothing for the programs.
            private static final ShownThing NOTHING = new ShownThing("-", List.of());
        }

        private List<ShownThing> rows() {
            return things.isEmpty() ? List.of(ShownThing.NOTHING) : things;
        }

        private String why() {
            return requiredBy.isEmpty() ? range : range + " for " + String.join(" ", requiredBy);
        }

        static Shown of(InstalledBundle installed) {
            return new Shown(
                    installed.bundle().toString(),
                    installed.registry().toString(),
                    installed.range(),
                    installed.version().toString(),
                    installed.manifest().toString(),
                    ShownYank.of(installed.yanked()),
                    List.copyOf(installed.requiredBy()),
                    installed.things().entrySet().stream()
                            .map(thing -> new ShownThing(thing.getKey().toString(), thing.getValue()))
                            .toList());
        }
    }

    @Override
    ExitCode run(Installation installation) {
        var installed = installation.list();
        var all = installed.stream().map(Shown::of).toList();
        var rows = all.stream()
                .flatMap(bundle -> bundle.rows().stream().map(thing -> new Row(bundle, thing)))
                .toList();
        output.show(
                all,
                shell -> TABLE.print(
                        shell,
                        rows,
                        "nothing is installed here; to add something: sheaf add namespace/bundle" + project.words()),
                () -> all.stream().map(Shown::bundle).toList());
        installed.forEach(bundle -> ShownYank.say(output, project, bundle.yanked(), bundle.requiredBy()));
        boolean isRecalled = installed.stream()
                .anyMatch(bundle -> bundle.yanked() != null && bundle.yanked().isRecalled());
        return check.isGiven() && isRecalled ? ExitCode.RECALLED : ExitCode.OK;
    }
}
