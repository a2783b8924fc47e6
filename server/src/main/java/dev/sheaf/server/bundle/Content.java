package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.registry.Blobs;
import dev.sheaf.server.registry.Repository;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The bytes of assets, out of the registry's blobs.
public final class Content {
    private final Blobs blobs;

    public Content(Blobs blobs) {
        this.blobs = blobs;
    }

    /// The whole content of an asset that the repository holds; not to be changed.
    ///
    /// @throws ProblemException blob-unknown where its bytes are damaged or gone
    public byte[] bytes(Repository repository, Digest digest) {
        var blob = blobs.find(repository, digest).orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        return blobs.open(blob).bytes();
    }

    /// The text that these bytes are, or empty where they are not UTF-8.
    public static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
