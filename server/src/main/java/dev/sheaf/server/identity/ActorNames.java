package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Database;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The names of those who did something, for the members of their organization. Thread-safe.
public final class ActorNames {
    private static final Pattern ACTOR = Pattern.compile("(?:user|key|publisher|worker):([0-9a-f-]{36})");

    private final Database database;

    public ActorNames(Database database) {
        this.database = database;
    }

    /// Returns names in one query, or without a query if none of them can have one.
    ///
    /// @param organization the organization of the people, keys, trusted publishers and workers; others get no name
    /// @param actors as rows record them, see [dev.sheaf.server.auth.Caller#actor]
    public Map<String, String> of(UUID organization, Collection<String> actors) {
        var ids = ids(actors);
        return ids.isEmpty() ? Map.of() : database.read(tx -> ActorRows.names(tx, organization, ids));
    }

    private static Set<UUID> ids(Collection<String> actors) {
        return actors.stream()
                .map(ACTOR::matcher)
                .filter(found -> found.matches())
                .map(found -> UUID.fromString(found.group(1)))
                .collect(Collectors.toSet());
    }
}
