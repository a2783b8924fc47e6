package dev.sheaf.client;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.Resolution;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/// The last answer of resolve for each reference that was pulled, beside the content in the cache: what a pull
/// without the registry goes by. Nothing here is trusted: what an answer names is compared with its digest as ever.
/// Thread-safe, also between processes.
final class Answers {
    private final Path folder;

    Answers(Path cache, RegistryUrl registry) {
        this.folder = cache.resolve("answers").resolve(registry.scheme() + "_" + registry.folderName());
    }

    Optional<Resolution> find(Reference reference) {
        try {
            return Optional.of(Json.read(Files.readAllBytes(file(reference)), Resolution.class));
        } catch (IOException | SheafException.Server e) {
            return Optional.empty(); // absent or damaged: as if it had never been
        }
    }

    /// Remembers the answer under the reference that was asked for, and under the one that pins it.
    void remember(Reference reference, ResolvedBundle bundle, Resolution answer) throws IOException {
        byte[] json = Json.write(answer);
        OwnerOnly.makeFolder(folder);
        write(file(reference), json);
        write(file(Reference.parse(bundle.repository() + "@" + bundle.manifest())), json);
    }

    private void write(Path file, byte[] json) throws IOException {
        Path fresh = OwnerOnly.makeFile(folder);
        try {
            Files.write(fresh, json);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private Path file(Reference reference) {
        return folder.resolve(Digest.sha256(reference.toString().getBytes(StandardCharsets.UTF_8))
                .hex());
    }
}
