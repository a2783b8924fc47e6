package dev.sheaf.cli;

import dev.sheaf.client.PullOptions;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.Layer;
import dev.sheaf.model.wire.Resolution;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "resolve", description = "Prints which version a reference means, and what is in it.")
final class ResolveCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Parameters(paramLabel = "REF", description = "namespace/bundle[:tag_or_version], or …@sha256:<hex>.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Reference reference;

    @Mixin
    private final Freshness freshness = new Freshness();

    @Mixin
    private final Output output;

    ResolveCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    @Override
    public Integer call() {
        try (var client = connection.open()) {
            var resolution = client.resolve(reference, freshness.in(PullOptions.DEFAULT));
            Notices.say(output, resolution);
            String pinned = resolution.ref() + "@" + resolution.ociDigest();
            output.show(resolution, shell -> print(resolution), () -> List.of(pinned));
        }
        return ExitCode.OK.status();
    }

    private void print(Resolution resolution) {
        var layers = resolution.manifest().layers();
        line("reference", resolution.ref() + ":" + resolution.version());
        line("digest", resolution.ociDigest());
        line("pull", resolution.ociPinnedRef());
        line("visibility", resolution.visibility());
        line("tags", resolution.tags().isEmpty() ? "-" : String.join(", ", resolution.tags()));
        line("published", resolution.publishedAt().toString());
        line("content", Text.count(layers.size(), "file") + ", " + Text.size(resolution.sizeBytes()));
        for (Layer layer : layers) {
            connection
                    .shell()
                    .out()
                    .printf(
                            "  %-10s %10s  %s%n",
                            Text.showable(layer.assetType()),
                            Text.size(layer.sizeBytes()),
                            Text.showable(layer.logicalPath()));
        }
    }

    private void line(String label, String value) {
        connection.shell().out().printf("%-10s  %s%n", label, Text.showable(value));
    }
}
