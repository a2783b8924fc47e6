package dev.sheaf.server.registry.upload;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Digest;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.content.UploadRecord;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/// Caches hash states of uploads on this node, so that finishing an upload need not read it again. If a state
/// is missing (another node, a restart, very many uploads), the bytes are only read once more. Thread-safe.
final class HashStates {
    private static final int BYTES_OF_STATE = 500;
    private static final Duration IDLE = Duration.ofHours(1);

    private record State(Digest.Algorithm algorithm, long written, MessageDigest hash) {}

    private final Cache<UUID, State> states = Caffeine.newBuilder()
            .maximumSize(HeapShare.UPLOAD_HASHES.entries(1, BYTES_OF_STATE + HeapShare.ENTRY))
            .expireAfterAccess(IDLE)
            .build();

    /// Returns a state that has hashed what the upload contains. The caller may continue it. Empty if there is
    /// none for this algorithm.
    Optional<MessageDigest> of(UploadRecord upload, Digest.Algorithm algorithm) {
        if (upload.written() == 0) {
            return Optional.of(algorithm.newHash());
        }
        var state = states.getIfPresent(upload.id());
        return state != null && state.algorithm == algorithm && state.written == upload.written()
                ? Optional.of(copy(state.hash))
                : Optional.empty();
    }

    private static MessageDigest copy(MessageDigest hash) {
        try {
            return (MessageDigest) hash.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-2 can be cloned", e);
        }
    }

    void remember(UploadRecord upload, long written, MessageDigest hash) {
        states.put(upload.id(), new State(upload.algorithm(), written, hash));
    }

    void forget(UUID upload) {
        states.invalidate(upload);
    }
}
