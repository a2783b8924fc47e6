package dev.sheaf.server.mcp;

import java.util.List;

/// The revisions of the protocol that are spoken here.
final class Versions {
    /// Stateless: each request says its revision and what its client can do.
    static final String STATELESS = "2026-07-28";

    /// Those that begin with `initialize`, the newest first.
    static final List<String> OLDER = List.of("2025-11-25", "2025-06-18", "2025-03-26");

    static final List<String> ALL = List.of(STATELESS, "2025-11-25", "2025-06-18", "2025-03-26");

    private Versions() {}

    /// What `initialize` agrees on: the revision that was asked for, or the newest that begins so.
    static String agreed(String asked) {
        return OLDER.contains(asked) ? asked : OLDER.getFirst();
    }
}
