package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.command.VersionNotices;
import dev.sheaf.cli.terminal.FileTree;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.Resolution;
import java.util.List;

/// The command `sheaf resolve`.
public final class ResolveCommand {
    private ResolveCommand() {}

    public static CliCommand of(Connection connection) {
        var command =
                ResourceCommand.of(connection, "resolve", "Shows which version a reference means, and its files.");
        var reference =
                command.argument(Reference.class, "REF", "namespace/bundle[:tag_or_version], or …@sha256:<hex>.");
        var freshness = FreshnessOptions.of(command);
        var tree = command.flag("--tree", "Show the files by their folders, and nothing else.");
        return command.run(client -> {
            var resolution = client.resolve(reference.get(), freshness.in(PullOptions.DEFAULT));
            VersionNotices.say(command.output, resolution);
            command.output.show(
                    resolution,
                    shell -> {
                        if (tree.isGiven()) {
                            tree(resolution, shell);
                        } else {
                            print(resolution, shell);
                        }
                    },
                    () -> List.of(connection.withHost(resolution.ref() + "@" + resolution.ociDigest())));
        });
    }

    private static void tree(Resolution resolution, Shell shell) {
        var tree = new FileTree();
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
                .line(
                        "content",
                        TextFormat.count(layers.size(), "file") + ", " + TextFormat.size(resolution.sizeBytes()))
                .print(shell);
        shell.out().println();
        new Table<Layer>()
                .column("KIND", Layer::assetType)
                .number("SIZE", layer -> TextFormat.size(layer.sizeBytes()))
                .column("FILE", layer -> layer.logicalPath() + ShownAsset.mode(layer.executable()))
                .print(shell, layers, "the version has no files");
    }
}
