package dev.sheaf.server.registry.content;

import dev.sheaf.model.Problem;

/// Limits the number of bytes. It is checked while they arrive, and before that if the number is announced.
@FunctionalInterface
public interface SizeLimit {
    /// @param bytes the announced total, or the number so far
    /// @throws dev.sheaf.model.ProblemException if that is too many
    void admit(long bytes);

    static SizeLimit upTo(long maximum) {
        return bytes -> {
            if (bytes > maximum) {
                throw new Problem.PayloadTooLarge("the blob (max-blob-bytes)", maximum, "bytes").raise();
            }
        };
    }

    /// Returns the stricter of two limits.
    default SizeLimit and(SizeLimit other) {
        return bytes -> {
            admit(bytes);
            other.admit(bytes);
        };
    }

    /// Returns the limit for the bytes that follow the first `before` bytes.
    default SizeLimit after(long before) {
        return bytes -> admit(before + bytes);
    }
}
