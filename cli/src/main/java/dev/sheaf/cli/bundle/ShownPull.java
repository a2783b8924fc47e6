package dev.sheaf.cli.bundle;

import dev.sheaf.client.api.Pulled;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON of a pull.
record ShownPull(
        String directory,
        String reference,
        String pinned,
        @Nullable String version,
        String digest,
        long sizeBytes,
        long fetchedBytes,
        List<ShownAsset> files,
        List<Refused> refused) {
    record Refused(String path, String code, String rule) {}

    static String reference(Pulled pulled) {
        return pulled.version() == null ? pulled.name() : pulled.name() + ":" + pulled.version();
    }

    static ShownPull of(Pulled pulled, Path target) {
        return new ShownPull(
                target.toString(),
                reference(pulled),
                pulled.name() + "@" + pulled.manifestDigest(),
                pulled.version(),
                pulled.manifestDigest().toString(),
                pulled.sizeBytes(),
                pulled.fetchedBytes(),
                pulled.assets().stream()
                        .map(file -> ShownAsset.of(file.asset()))
                        .toList(),
                pulled.refused().stream()
                        .map(path -> new Refused(path.path(), path.code(), path.rule()))
                        .toList());
    }
}
