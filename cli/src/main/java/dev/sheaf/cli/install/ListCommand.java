package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.Installed;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "list",
        aliases = "ls",
        description = "Lists what is installed here, and where. To list the bundles of a registry: sheaf bundles.")
public final class ListCommand extends ProjectCommand {
    public ListCommand(Connection connection) {
        super(connection);
    }

    /// The JSON of a bundle.
    record Shown(
            String bundle,
            String registry,
            String range,
            String version,
            String digest,
            @Nullable ShownYank yanked,
            List<ShownThing> things) {
        record ShownThing(String name, List<String> places) {}

        static Shown of(Installed installed) {
            return new Shown(
                    installed.bundle().toString(),
                    installed.registry().toString(),
                    installed.range(),
                    installed.version().toString(),
                    installed.manifest().toString(),
                    ShownYank.of(installed.yanked()),
                    installed.things().entrySet().stream()
                            .map(thing -> new ShownThing(thing.getKey().toString(), thing.getValue()))
                            .toList());
        }
    }

    @Override
    protected ExitCode run(Installation installation) {
        var installed = installation.list();
        var all = installed.stream().map(Shown::of).toList();
        var table = new Table("NAME", "BUNDLE", "VERSION", "RANGE", "PLACES");
        for (var bundle : all) {
            for (var thing : bundle.things()) {
                table.row(
                        thing.name(),
                        bundle.bundle(),
                        bundle.version(),
                        bundle.range(),
                        String.join(" ", thing.places()));
            }
        }
        output.list(
                all, Shown::bundle, table, "nothing is installed here; to add something: sheaf add namespace/bundle");
        installed.forEach(bundle -> ShownYank.say(output, bundle.yanked()));
        return ExitCode.OK;
    }
}
