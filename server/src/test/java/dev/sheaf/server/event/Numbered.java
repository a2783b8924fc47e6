package dev.sheaf.server.event;

import dev.sheaf.engine.db.Database;

/// Events that have their numbers.
public final class Numbered {
    private Numbered() {}

    /// Numbers all that is committed, without waiting for the node.
    public static void all(Database database) {
        new EventNumbering(database).run();
    }
}
