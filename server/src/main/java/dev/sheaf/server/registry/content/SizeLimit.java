package dev.sheaf.server.registry.content;

import dev.sheaf.model.Problem;

/// How many bytes may come. Asked before they do, where their number is announced, and while they do.
@FunctionalInterface
public interface SizeLimit {
    /// @param bytes how many it would be in all, or are by now
    /// @throws dev.sheaf.model.ProblemException where that is too many
    void admit(long bytes);

    static SizeLimit upTo(long maximum) {
        return bytes -> {
            if (bytes > maximum) {
                throw new Problem.PayloadTooLarge("the blob (max-blob-bytes)", maximum).raise();
            }
        };
    }

    /// As much as both have room for.
    default SizeLimit and(SizeLimit other) {
        return bytes -> {
            admit(bytes);
            other.admit(bytes);
        };
    }

    /// What is left behind bytes that came before.
    default SizeLimit after(long before) {
        return bytes -> admit(before + bytes);
    }
}
