package dev.sheaf.server.db.beat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/// The processes of the database that work for connections of this role. Any role can send a message, and one that
/// claims to have read the changes would hide them from all nodes. Used by one thread.
public final class OwnProcesses {
    private static final String PROCESSES = """
            SELECT ARRAY(SELECT pid FROM pg_stat_activity
                         WHERE usename = session_user AND datname = current_database())
            """;

    /// How long they count as known. Later, processes of others may have their numbers.
    private static final Duration KNOWN = Duration.ofMinutes(1);

    /// The time between two looks for an unknown one.
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private Set<Integer> known = Set.of();
    private long lookedAt;

    public void lookUp(Connection connection) throws SQLException {
        lookedAt = System.nanoTime();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(PROCESSES)) {
            rows.next();
            known = Set.of((Integer[]) rows.getArray(1).getArray());
        }
    }

    /// Returns whether a process belongs to this role. It may do so and count as unknown for half a minute.
    public boolean has(Connection connection, int process) throws SQLException {
        long age = System.nanoTime() - lookedAt;
        if (age > KNOWN.toNanos() || age > AGAIN.toNanos() && !known.contains(process)) {
            lookUp(connection);
        }
        return known.contains(process);
    }
}
