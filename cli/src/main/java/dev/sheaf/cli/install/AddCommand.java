package dev.sheaf.cli.install;

import dev.sheaf.cli.command.BundleSelection;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.RepositoryName;
import java.util.LinkedHashMap;
import java.util.SortedSet;
import java.util.TreeSet;

/// The command `sheaf add`.
public final class AddCommand extends ProjectCommand {
    private final RepeatedValue<BundleSelection> picked = arguments(
            BundleSelection.class,
            "1..*",
            "REF",
            "namespace/bundle[:tag, version or range][#skill,...]; the whole bundle if no skill is named. Other things "
                    + "are named like agents/reviewer or mcp/github.");
    private final RepeatedValue<String> agents = options(
            "-a --agent",
            "AGENT",
            "A program to install for, such as claude-code. Default: the programs with folders in the project, or else "
                    + ".agents and .claude. Programs that already have the skills keep them.");
    private final FlagOption link =
            flag("--link", "Write one copy, and links to it in the folders of the other programs.");
    private final InstallFlags flags = InstallFlags.of(this);

    public AddCommand(Connection connection) {
        super(
                connection,
                "add",
                "Installs skills of a bundle for your agent programs. Writes them into the folders where these programs "
                        + "look. sheaf-install.json records what you asked for, sheaf-install.lock what was installed.");
        setFooter(
                "",
                "Keep sheaf-install.json and sheaf-install.lock under version control; sheaf install does the rest "
                        + "elsewhere.");
    }

    @Override
    ExitCode run(Installation installation) {
        SortedSet<String> programs = new TreeSet<>();
        agents.get().forEach(id -> programs.add(Agents.named(id).id()));
        var wishes = new LinkedHashMap<RepositoryName, WantedBundle>();
        var registry = registry(installation);
        for (var one : picked.get()) {
            var reference = one.reference();
            var things = new TreeSet<>(one.things());
            var other = wishes.get(reference.repository());
            if (other != null && !things.isEmpty() && !other.things().isEmpty()) {
                things.addAll(other.things());
            } else if (other != null) {
                things.clear();
            }
            wishes.put(
                    reference.repository(),
                    new WantedBundle(
                            registry,
                            reference.repository(),
                            reference.selector(),
                            things,
                            programs.isEmpty() ? usual(installation, reference.repository()) : programs,
                            link.isGiven()));
        }
        return show(installation.add(wishes.values(), flags.options(connection.shell())));
    }

    /// Returns the registry of the option, else the registry of everything else in the project.
    private RegistryUrl registry(Installation installation) {
        var used = installation.wanted().stream()
                .map(WantedBundle::registry)
                .distinct()
                .toList();
        return connection.isSet() || used.size() != 1 ? connection.url() : used.getFirst();
    }

    /// Returns the programs that already have the bundle, so that no program is lost or added; else the
    /// programs that have folders in the project.
    private SortedSet<String> usual(Installation installation, RepositoryName bundle) {
        return installation.wanted().stream()
                .filter(wish -> wish.bundle().equals(bundle))
                .findFirst()
                .map(WantedBundle::agents)
                .orElseGet(installation::programs);
    }
}
