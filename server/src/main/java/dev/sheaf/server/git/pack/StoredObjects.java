package dev.sheaf.server.git.pack;

import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.git.history.GitObject;
import dev.sheaf.server.git.history.History;
import dev.sheaf.server.git.history.HistoryRows;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;

/// The objects of a repository, as one request reads them. Commits are held all, since each fetch looks at
/// most of them; the others are looked up, and the last ones remembered. Bound to its thread.
final class StoredObjects {
    private static final int REMEMBERED = 1_000;
    private static final int TREE = 16 << 10; // larger ones are looked up again

    private final Database database;
    private final long repositoryId;
    private final Budget budget;
    private final Supplier<Map<ObjectId, GitObject>> commits;
    private final Map<ObjectId, GitObject> last = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectId, GitObject> eldest) {
            return size() > REMEMBERED;
        }
    };

    /// @param commits all of the repository
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

    /// Those of a repository without any.
    static StoredObjects none(Database database, Budget budget) {
        return new StoredObjects(database, 0, Map::of, budget);
    }

    /// @throws dev.sheaf.server.cpu.OverBudgetException where the request has had enough
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
        look(List.of(id.name()));
        return Optional.ofNullable(last.remove(id)).map(this::remember);
    }

    private GitObject remember(GitObject object) {
        if (object.kind() == GitObject.Kind.BLOB || object.size() <= TREE) {
            last.put(object.id(), object);
        }
        return object;
    }

    /// Looks up at most as many as are remembered, for [#find] to find.
    void look(Collection<String> ids) {
        database.read(tx -> HistoryRows.find(tx, repositoryId, ids)).forEach(object -> last.put(object.id(), object));
    }
}
