package dev.sheaf.server.git.pack;

import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.git.history.GitObject;
import dev.sheaf.server.git.history.History;
import dev.sheaf.server.git.history.HistoryRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// The objects of a repository as one request reads them. All commits are held in memory, because each fetch
/// visits most of them; other objects are looked up, and recent ones are cached. A walk over trees descends
/// into their subtrees, so these are looked up in advance, in growing batches. Bound to its thread.
final class StoredObjects {
    private static final int REMEMBERED = 1_000;
    private static final int TREE = 16 << 10; // in bytes; larger ones are looked up alone and not cached
    private static final int MAX_TOGETHER = 64;
    private static final int MAX_NOTED = 20_000;

    private final Database database;
    private final long repositoryId;
    private final Budget budget;
    private final Supplier<Map<ObjectId, GitObject>> commits;
    private final Deque<ObjectId> ahead = new ArrayDeque<>(); // trees to look up next, in order
    private final Set<ObjectId> noted = new HashSet<>(); // trees that were looked up or are in `ahead`
    private int together = 1;
    private final Map<ObjectId, GitObject> last = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectId, GitObject> eldest) {
            return size() > REMEMBERED;
        }
    };

    /// @param commits all commits of the repository
    private StoredObjects(
            Database database, long repositoryId, Supplier<Map<ObjectId, GitObject>> commits, Budget budget) {
        this.database = database;
        this.repositoryId = repositoryId;
        this.commits = commits;
        this.budget = budget;
    }

    static StoredObjects of(History history, Database database, Budget budget) {
        long id = history.bundle().repository().id();
        return new StoredObjects(
                database,
                id,
                () -> history.commitObjects(() -> database.read(tx -> HistoryRows.commitObjects(tx, id))),
                budget);
    }

    /// Returns the objects of an empty repository.
    static StoredObjects none(Database database, Budget budget) {
        return new StoredObjects(database, 0, Map::of, budget);
    }

    /// @throws dev.sheaf.server.cpu.OverBudgetException if the request has used up its budget
    void check() {
        budget.check();
    }

    Optional<GitObject> commit(AnyObjectId id) {
        return Optional.ofNullable(commits.get().get(id));
    }

    Optional<GitObject> find(AnyObjectId id) {
        var known = commit(id).or(() -> Optional.ofNullable(last.get(id)));
        if (known.isPresent()) {
            return known;
        }
        if (noted.contains(id)) {
            lookAhead();
        }
        return Optional.ofNullable(last.get(id)).or(() -> alone(id));
    }

    private Optional<GitObject> alone(AnyObjectId id) {
        var found = database.read(tx -> HistoryRows.find(tx, repositoryId, id.name()));
        found.ifPresent(object -> {
            note(List.of(object));
            if (object.kind() == GitObject.Kind.BLOB || object.size() <= TREE) {
                last.put(object.id(), object);
            }
        });
        return found;
    }

    /// Looks up the next batch of trees.
    private void lookAhead() {
        var ids = new ArrayList<String>();
        while (ids.size() < together && !ahead.isEmpty()) {
            ids.add(ahead.poll().name());
        }
        if (!ids.isEmpty()) {
            together = Math.min(2 * together, MAX_TOGETHER);
            look(ids);
        }
    }

    /// Looks up objects for [#find]; at most as many as fit into the cache.
    void look(Collection<String> ids) {
        var found = database.read(tx -> HistoryRows.find(tx, repositoryId, ids, TREE)).stream()
                .filter(object -> object.kind() == GitObject.Kind.BLOB || object.packed() != null)
                .toList();
        found.forEach(object -> last.put(object.id(), object));
        note(found);
    }

    /// Puts the subtrees of these objects in front of all other trees to look up.
    private void note(List<GitObject> found) {
        if (noted.size() > MAX_NOTED) {
            noted.clear();
            ahead.clear();
        }
        var inner = new ArrayList<ObjectId>();
        for (var object : found) {
            if (object.kind() == GitObject.Kind.TREE) {
                noted.add(object.id());
                var entry = new CanonicalTreeParser();
                for (entry.reset(object.bytes()); !entry.eof(); entry.next(1)) {
                    if (entry.getEntryFileMode().equals(FileMode.TREE) && noted.add(entry.getEntryObjectId())) {
                        inner.add(entry.getEntryObjectId());
                    }
                }
            }
        }
        for (var id : inner.reversed()) {
            ahead.addFirst(id);
        }
    }
}
