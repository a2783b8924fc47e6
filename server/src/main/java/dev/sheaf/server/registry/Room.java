package dev.sheaf.server.registry;

import dev.sheaf.model.Problem;

/// How many bytes may come. Asked before they do, where their number is announced, and while they do.
@FunctionalInterface
interface Room {
    /// @param bytes how many it would be in all, or are by now
    /// @throws dev.sheaf.model.ProblemException where that is too many
    void admit(long bytes);

    static Room upTo(long maximum) {
        return bytes -> {
            if (bytes > maximum) {
                throw new Problem.PayloadTooLarge("the blob (max-blob-bytes)", maximum).raise();
            }
        };
    }

    /// As much as both have room for.
    default Room and(Room other) {
        return bytes -> {
            admit(bytes);
            other.admit(bytes);
        };
    }

    /// What is left behind bytes that came before.
    default Room after(long before) {
        return bytes -> admit(before + bytes);
    }
}
