package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Picked;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.Wish;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.RepositoryName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "add",
        description = "Installs skills of a bundle into the folders where programs for agents look, and writes down "
                + "what is wanted and what is there.",
        footer = {
            "",
            "Keep sheaf-install.json and sheaf-install.lock under version control; sheaf install does the rest "
                    + "elsewhere."
        })
public final class AddCommand extends ProjectCommand {
    @Parameters(
            paramLabel = "REF",
            arity = "1..*",
            description = "namespace/bundle[:tag, version or range][#skill,...]; all of the bundle where no skill is "
                    + "named. Other things are agents/reviewer or mcp/github.")
    private List<Picked> picked = new ArrayList<>();

    @Option(
            names = {"-a", "--agent"},
            paramLabel = "AGENT",
            description = "A program to install for, such as claude-code. If missing: the programs that the project has"
                    + " folders of, or else .agents and .claude. Programs that have them already keep them.")
    private List<String> agents = new ArrayList<>();

    @Option(names = "--link", description = "Write one copy, and links to it in the folders of the other programs.")
    private boolean link;

    @Mixin
    private final InstallFlags flags = new InstallFlags();

    public AddCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(Installation installation) {
        SortedSet<String> programs = new TreeSet<>();
        agents.forEach(id -> programs.add(Agents.named(id).id()));
        var wishes = new LinkedHashMap<RepositoryName, Wish>();
        var registry = registry(installation);
        for (var one : picked) {
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
                    new Wish(
                            registry,
                            reference.repository(),
                            reference.selector(),
                            things,
                            programs.isEmpty() ? usual(installation, reference.repository()) : programs,
                            link));
        }
        return show(installation.add(wishes.values(), flags.options()));
    }

    /// Where nobody said which one: the one that the project has everything else from.
    private RegistryUrl registry(Installation installation) {
        var used = installation.wanted().stream().map(Wish::registry).distinct().toList();
        return connection.isSet() || used.size() != 1 ? connection.url() : used.getFirst();
    }

    /// Those that have the bundle already, so that none is forgotten and none comes by itself; else those of which
    /// there are signs.
    private SortedSet<String> usual(Installation installation, RepositoryName bundle) {
        return installation.wanted().stream()
                .filter(wish -> wish.bundle().equals(bundle))
                .findFirst()
                .map(Wish::agents)
                .orElseGet(installation::programs);
    }
}
