package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.heap.HeapShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Finds the bundles of a namespace that have a skill of some name, for programs that know skills but not bundles. What
/// a namespace has is kept until a bundle of it changes. Thread-safe.
public final class SkillPlaces {
    private static final int MAX_PLACES = 20_000; // of a namespace
    private static final int BYTES_OF_PLACE = 200;

    private final Database database;
    private final InvalidatedCache<Key, Map<String, List<Place>>> places;
    private final NamespaceChanges changes;

    public SkillPlaces(Database database, NamespaceChanges changes) {
        this.database = database;
        this.places = new InvalidatedCache<>(
                database,
                "skill-places",
                HeapShare.SKILL_NAMES.bytes() / 2,
                (key, found) -> HeapShare.ENTRY
                        + found.values().stream()
                                .mapToInt(all -> BYTES_OF_PLACE * all.size())
                                .sum());
        this.changes = changes;
    }

    /// @param organization of the caller, whose private bundles are among them; null for callers without one
    /// @param number the number of changes of the namespace
    private record Key(Namespace namespace, @Nullable UUID organization, long number) {}

    /// A bundle whose latest version has a skill of some name.
    private record Place(RepositoryName name, UUID organizationId, Visibility visibility) implements Access.Target {}

    /// Returns the bundles that the caller may read and whose latest version has a SKILL.md in a folder of this name.
    /// At the root, it has the name of the bundle. Private bundles of others are not read, so they take no time.
    ///
    /// @param paying runs before the bundles of the namespace are looked through
    public List<RepositoryName> of(Caller caller, Namespace namespace, String name, Runnable paying) {
        var organization = caller instanceof Caller.Known known ? known.organizationId() : null;
        return places
                .get(new Key(namespace, organization, changes.of(namespace)), missing -> {
                    paying.run();
                    return Optional.of(read(missing));
                })
                .orElseThrow()
                .getOrDefault(name, List.of())
                .stream()
                .filter(place -> Access.mayRead(caller, place))
                .map(Place::name)
                .toList();
    }

    private Map<String, List<Place>> read(Key key) {
        var found = new HashMap<String, List<Place>>();
        for (var row : database.read(tx -> VersionRows.skills(tx, key.namespace(), key.organization(), MAX_PLACES))) {
            var bundle = new RepositoryName(key.namespace(), BundleName.parseBundle(row.bundle()));
            String[] path = row.path().split("/");
            if (path[path.length - 1].equals(SkillText.FILE)) { // SQLite ignores case
                String name = path.length == 1 ? row.bundle() : path[path.length - 2];
                found.computeIfAbsent(name, first -> new ArrayList<>())
                        .add(new Place(bundle, row.organizationId(), row.visibility()));
            }
        }
        found.replaceAll((name, all) -> all.stream().distinct().toList());
        return found;
    }
}
