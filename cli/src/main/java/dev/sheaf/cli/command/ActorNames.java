package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Names actors: for `key:<id>` the key's name, for `user:<id>` the address. Without the right to see these,
/// the end of the id. The names are fetched once, when the first is needed.
public final class ActorNames {
    private static final String KEY = "key:";
    private static final String USER = "user:";

    private final SheafClient client;
    private @Nullable Map<String, String> names;

    public ActorNames(SheafClient client) {
        this.client = client;
    }

    public @Nullable String name(@Nullable String actor) {
        if (actor == null || !(actor.startsWith(KEY) || actor.startsWith(USER))) {
            return actor;
        }
        String id = actor.substring(actor.indexOf(':') + 1);
        String known = names().get(actor);
        return known == null ? actor.substring(0, actor.indexOf(':')) + " " + TextFormat.withShortId(id) : known;
    }

    private Map<String, String> names() {
        if (names == null) {
            names = new HashMap<>();
            try {
                client.keys(null).list().forEach(key -> put(KEY + key.id(), "key " + key.name()));
                client.members(null).list().forEach(member -> put(USER + member.userId(), member.email()));
            } catch (SheafException.NotFound | SheafException.Unauthenticated | SheafException.Forbidden e) {
                // only admins of the organization may see these names
            }
        }
        return names;
    }

    private void put(String actor, String name) {
        if (names != null) {
            names.put(actor, name);
        }
    }
}
