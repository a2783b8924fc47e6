package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Hub;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.hub.HubBundle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "search", description = "Finds public bundles. Without words, lists all of them.")
public final class SearchCommand extends RegistryCommand {
    private static final int MOST = 1000;

    @Parameters(
            paramLabel = "WORD",
            arity = "0..*",
            description = "Every word must occur, or a word that begins with it.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--type", paramLabel = "TYPE", description = "skill, agent_spec, toolset, prompt, config or other.")
    private @Nullable AssetType type;

    @Option(names = "--namespace", paramLabel = "NS", description = "Only bundles of this namespace.")
    private @Nullable Namespace namespace;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "relevance (the default), recent, downloads, stars or trending.")
    private Hub.Sort sort = Hub.Sort.RELEVANCE;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of results, 1 to 1000. Default: 20.")
    private int limit = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public SearchCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected boolean ready() {
        if (limit < 1 || limit > MOST) {
            throw new ParameterException(spec.commandLine(), "--limit takes a number from 1 to " + MOST);
        }
        return true;
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var found = client.hub().search(new Hub.Search(String.join(" ", words), type, namespace, sort, limit));
        var table = new Table("BUNDLE", "HIGHEST", "DOWNLOADS", "STARS", "ABOUT")
                .right("DOWNLOADS")
                .right("STARS");
        found.forEach(bundle -> table.row(
                reference(bundle),
                bundle.latestVersion(),
                bundle.downloadsTotal(),
                bundle.starsCount(),
                bundle.summary().isEmpty() ? bundle.displayName() : bundle.summary()));
        output.list(
                found,
                SearchCommand::reference,
                table,
                "no public bundle matches; private ones are listed by: sheaf bundles");
        return ExitCode.OK;
    }

    private static String reference(HubBundle bundle) {
        return bundle.publisher().handle() + "/" + bundle.slug();
    }
}
