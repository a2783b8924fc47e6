package dev.sheaf.model.wire.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The health of one node.
///
/// @param status `up`; `degraded` if the node is ready although a part fails, because the node does not need
/// the part or because all nodes share it; `down` if the node is not ready
/// @param mode whether the node is read-only, which does not change its status; null if it is not known yet, or if
/// the node is older than this member
public record NodeHealth(
        String status, List<Part> parts, @Nullable ModeRecord mode) {
    public NodeHealth {
        parts = List.copyOf(parts);
    }

    /// The state of one part of a node.
    ///
    /// @param name for example `database`, `changes`, `store`, `disk`, `clock` or `certificate`
    /// @param status `up` or `down`
    /// @param needed whether the node is not ready while the part is down
    /// @param detail the reason for the failure; null if the part is up
    /// @param about what the part is and has, in numbers; null if there is nothing to say, or if the node
    /// is older than this member
    /// @param since since when the part has this status, as far as the node knows; null if the node is
    /// older than this member
    public record Part(
            String name,
            String status,
            boolean needed,
            @Nullable String detail,
            @Nullable String about,
            @Nullable Instant since) {}
}
