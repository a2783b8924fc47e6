package dev.sheaf.server.maintenance.backup;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A table as the database describes it.
///
/// @param key the columns of its primary key, in order
/// @param identity the column that counts up by itself
/// @param references the other tables that its foreign keys point to
record Table(String name, List<String> columns, List<String> key, Optional<String> identity, Set<String> references) {
    /// What belongs to the running processes, and means nothing to others: bytes that are on their way in or out of
    /// the blob store, who works on what, answers that a client may ask for again, what was taken of rate limits,
    /// and what nodes tell each other.
    private static final Set<String> LOCAL = Set.of(
            "upload",
            "object_deletion",
            "stray",
            "task_run",
            "idempotent_request",
            "rate_use",
            "announcement",
            "flyway_schema_history");

    Table {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        references = Set.copyOf(references);
    }

    /// The full-text index, with the tables that SQLite makes for it: each engine has its own kind, and it is made
    /// again from the rest.
    private static final String INDEX = "hub_text";

    /// Whether a backup has it.
    boolean isKept() {
        return !LOCAL.contains(name) && !name.startsWith(INDEX);
    }
}
