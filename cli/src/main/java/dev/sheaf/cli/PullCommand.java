package dev.sheaf.cli;

import dev.sheaf.client.Pulled;
import dev.sheaf.model.Reference;
import java.nio.file.Path;
import java.util.List;
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
    private @Nullable Path folder;

    @Mixin
    private final Output output;

    PullCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    @Override
    public Integer call() {
        Path target = folder == null ? Path.of(reference.repository().bundle().value()) : folder;
        try (var client = connection.open()) {
            Pulled pulled = client.pull(reference, target);
            var resolution = pulled.resolution();
            Notices.say(output, resolution);
            output.show(Shown.of(pulled, target), shell -> shell.out().println(target), () -> List.of(target));
            output.say("pulled " + resolution.ref() + ":" + resolution.version() + " ("
                    + pulled.manifestDigest() + "), "
                    + Text.count(pulled.assets().size(), "file") + ", "
                    + Text.size(pulled.sizeBytes()) + ", " + Text.size(pulled.fetchedBytes())
                    + " of it fetched");
        }
        return ExitCode.OK.status();
    }

    /// The JSON of a pull.
    record Shown(
            String directory,
            String reference,
            String pinned,
            String version,
            String digest,
            long sizeBytes,
            long fetchedBytes,
            List<File> files) {
        record File(String path, String type, String digest, long sizeBytes) {}

        static Shown of(Pulled pulled, Path target) {
            var resolution = pulled.resolution();
            return new Shown(
                    target.toString(),
                    resolution.ref() + ":" + resolution.version(),
                    resolution.ref() + "@" + pulled.manifestDigest(),
                    resolution.version(),
                    pulled.manifestDigest().toString(),
                    pulled.sizeBytes(),
                    pulled.fetchedBytes(),
                    pulled.assets().stream()
                            .map(asset -> new File(
                                    asset.path().value(),
                                    asset.type().toString(),
                                    asset.digest().toString(),
                                    asset.size()))
                            .toList());
        }
    }
}
