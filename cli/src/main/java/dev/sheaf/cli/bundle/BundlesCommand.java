package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.BundleRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bundles",
        description = "Lists the bundles of namespaces, private ones included. Without a namespace: all of your "
                + "organization.")
public final class BundlesCommand extends RegistryCommand {
    @Parameters(paramLabel = "NAMESPACE", arity = "0..*", description = "Such as acme.")
    private List<Namespace> namespaces = new ArrayList<>();

    @Option(names = "--visibility", paramLabel = "VISIBILITY", description = "Only public or only private bundles.")
    private @Nullable Visibility visibility;

    @Option(
            names = "--matching",
            paramLabel = "TEXT",
            description = "Only bundles with this text in slug, name or description.")
    private String text = "";

    @Mixin
    private final OrganizationOption organization = new OrganizationOption();

    public BundlesCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var bundles = (namespaces.isEmpty() ? own(client) : namespaces)
                .stream()
                        .flatMap(namespace -> client.bundles(namespace, text, Integer.MAX_VALUE).stream())
                        .filter(bundle ->
                                visibility == null || bundle.visibility().equals(visibility.toString()))
                        .toList();
        var table = new Table("BUNDLE", "VISIBILITY", "CHANGED", "NAME");
        bundles.forEach(
                bundle -> table.row(bundle.ref(), bundle.visibility(), Text.time(bundle.updatedAt()), bundle.name()));
        output.list(bundles, BundleRecord::ref, table, "no bundle matches");
        return ExitCode.OK;
    }

    private List<Namespace> own(SheafClient client) {
        return client.organization(organization.value()).namespaces().stream()
                .map(namespace -> Namespace.parse(namespace.handle()))
                .toList();
    }
}
