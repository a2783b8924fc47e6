package dev.sheaf.cli;

import dev.sheaf.client.Pulled;
import dev.sheaf.model.Reference;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pull",
        description = "Fetches a bundle, verifies every byte and writes its files. Prints the directory.",
        footer = {
            "",
            "What is in the cache is not fetched again. Files of the same name are replaced, others are left alone. "
                    + "Nothing is written unless every digest is right."
        })
final class PullCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Parameters(paramLabel = "REF", description = "namespace/bundle[:tag_or_version], or …@sha256:<hex>.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Reference reference;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Where to write; ./<bundle> if missing.")
    private @Nullable Path output;

    PullCommand(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Path target = output == null ? Path.of(reference.repository().bundle().value()) : output;
        try (var client = connection.open()) {
            Pulled pulled = client.pull(reference, target);
            var resolution = pulled.resolution();
            Notices.say(connection.shell(), resolution);
            connection.shell().out().println(target);
            connection
                    .shell()
                    .say("pulled " + resolution.ref() + ":" + resolution.version() + " ("
                            + pulled.manifestDigest() + "), "
                            + Text.count(pulled.assets().size(), "file") + ", "
                            + Text.size(pulled.sizeBytes()) + ", " + Text.size(pulled.fetchedBytes())
                            + " of it fetched");
        }
        return ExitCode.OK.status();
    }
}
