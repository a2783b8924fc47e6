package dev.sheaf.server.mcp;

import java.util.List;

/// The supported revisions of the protocol.
final class ProtocolVersions {
    /// Stateless: each request states its revision and the client's capabilities.
    static final String STATELESS = "2026-07-28";

    /// The revisions that begin with `initialize`, the newest first.
    static final List<String> OLDER = List.of("2025-11-25", "2025-06-18", "2025-03-26");

    static final List<String> ALL = List.of(STATELESS, "2025-11-25", "2025-06-18", "2025-03-26");

    private ProtocolVersions() {}

    /// Returns the revision that `initialize` agrees on: the requested one if it is supported, otherwise the
    /// newest that begins with `initialize`.
    static String agreed(String asked) {
        return OLDER.contains(asked) ? asked : OLDER.getFirst();
    }
}
