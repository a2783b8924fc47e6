package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Notices;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.cli.terminal.Tree;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.bundle.Resolution;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "resolve", description = "Shows which version a reference means, and its files.")
public final class ResolveCommand extends RegistryCommand {
    @Parameters(paramLabel = "REF", description = "namespace/bundle[:tag_or_version], or …@sha256:<hex>.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Reference reference;

    @Mixin
    private final Freshness freshness = new Freshness();

    @Option(names = "--tree", description = "Show the files by their folders, and nothing else.")
    private boolean tree;

    public ResolveCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var resolution = client.resolve(reference, freshness.in(PullOptions.DEFAULT));
        Notices.say(output, resolution);
        output.show(
                resolution,
                shell -> {
                    if (tree) {
                        tree(resolution, shell);
                    } else {
                        print(resolution, shell);
                    }
                },
                () -> List.of(connection.withHost(resolution.ref() + "@" + resolution.ociDigest())));
        return ExitCode.OK;
    }

    private static void tree(Resolution resolution, Shell shell) {
        var tree = new Tree();
        resolution
                .manifest()
                .layers()
                .forEach(
                        layer -> tree.add(layer.logicalPath(), layer.sizeBytes(), ShownAsset.mode(layer.executable())));
        tree.print(resolution.ref() + ":" + resolution.version(), shell);
    }

    private static void print(Resolution resolution, Shell shell) {
        var layers = resolution.manifest().layers();
        new Summary()
                .line("reference", resolution.ref() + ":" + resolution.version())
                .line("digest", resolution.ociDigest())
                .line("pull", resolution.ociPinnedRef())
                .line("visibility", resolution.visibility())
                .line("tags", resolution.tags())
                .line("published", resolution.publishedAt())
                .line("content", Text.count(layers.size(), "file") + ", " + Text.size(resolution.sizeBytes()))
                .print(shell);
        shell.out().println();
        var table = new Table("KIND", "SIZE", "FILE").right("SIZE");
        layers.forEach(layer -> table.row(
                layer.assetType(),
                Text.size(layer.sizeBytes()),
                layer.logicalPath() + ShownAsset.mode(layer.executable())));
        table.print(shell, "the version has no files");
    }
}
