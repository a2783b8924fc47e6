package dev.sheaf.server.registry;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.heap.HeapShare;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The repositories, by name. Thread-safe; look-ups are cached until a change is announced.
public final class Repositories {
    private static final int CACHED = HeapShare.REPOSITORIES.entries(2, 250 + HeapShare.ENTRY);
    private static final int HOLDERS = 100;

    private final Database database;
    private final InvalidatedCache<RepositoryName, Repository> known;

    public Repositories(Database database) {
        this.database = database;
        this.known = new InvalidatedCache<>(database, "repositories", CACHED);
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case REPOSITORY -> known.forget(RepositoryName.parseAny(change.id()));
            case NAMESPACE, EVERYTHING -> known.forgetAll();
            case API_KEY, SIGNING_KEY, ORGANIZATION, SESSION, PUBLISHER, TOKEN, WEBHOOK, QUEUE, EVENT, FEED -> {
                // caches nothing of these kinds
            }
        }
    }

    /// Returns the repository without checking the caller. For code that has called
    /// [#find(Caller,RepositoryName)] before.
    public Optional<Repository> find(RepositoryName name) {
        return known.getOrLast(
                name, missing -> database.read(tx -> RepositoryRows.find(tx, missing)), Repositories::isPublic);
    }

    /// Returns the repository for a caller who may not know that it exists. A missing one is looked up every
    /// time, because another node may just have created it. A hidden one takes one look-up too: otherwise the
    /// response time would reveal that it exists.
    public Optional<Repository> find(Caller caller, RepositoryName name) {
        var asked = new AtomicBoolean();
        var found = known.getOrLast(
                name,
                missing -> {
                    asked.set(true);
                    return database.read(tx -> RepositoryRows.find(tx, missing));
                },
                Repositories::isPublic);
        if (!asked.get()
                && found.filter(repository -> Access.sees(caller, repository)).isEmpty()) {
            database.read(RepositoryRows::findNothing);
        }
        return found;
    }

    /// Returns whether the namespace has anything public.
    public boolean isAnyPublic(Namespace namespace) {
        return database.read(tx -> RepositoryRows.isAnyPublic(tx, namespace));
    }

    private static boolean isPublic(Repository repository) {
        return repository.visibility() == Visibility.PUBLIC;
    }

    /// Creates a private repository that was missing, and locks it as [#lock] does. Several callers may do this
    /// at once. The namespace must exist.
    ///
    /// Empty if another caller created it meanwhile and deleted it again.
    public Optional<Repository> make(Tx tx, RepositoryName name) {
        var made = RepositoryRows.insert(tx, name);
        made.ifPresent(repository -> announce(tx, name));
        return made.isPresent() ? made : lock(tx, name);
    }

    /// Returns the current repository and locks it until the transaction ends: no other transaction can lock or
    /// change its row, but blobs can still be linked to it.
    ///
    /// Empty if it does not exist.
    public Optional<Repository> lock(Tx tx, RepositoryName name) {
        return lockSoon(tx, name).get();
    }

    public PipelineAnswer<Optional<Repository>> lockSoon(Tx tx, RepositoryName name) {
        return RepositoryRows.lock(tx, name);
    }

    /// A deleted repository, which nobody can see. It is purged once only tombstones are left of it.
    public record Deleted(Repository repository, Instant deletedAt, boolean purged) {}

    /// Returns the deleted repository with this name and locks it until the transaction ends. No other method
    /// finds it.
    public Optional<Deleted> lockDeleted(Tx tx, RepositoryName name) {
        return RepositoryRows.lockDeleted(tx, name);
    }

    /// Returns repositories that were deleted at or before a moment and still have content, oldest first.
    public List<RepositoryName> unpurged(Tx tx, Instant before, int limit) {
        return RepositoryRows.unpurged(tx, before, limit);
    }

    /// Hides a locked repository from everyone at once. Its name stays taken.
    public void delete(Tx tx, Repository repository) {
        RepositoryRows.setDeleted(tx, repository.id(), tx.now());
        announce(tx, repository.name());
    }

    /// Makes a deleted repository visible again.
    public void restore(Tx tx, Repository repository) {
        RepositoryRows.setDeleted(tx, repository.id(), null);
        announce(tx, repository.name());
    }

    /// Marks a deleted repository as purged: only tombstones are left.
    public void purged(Tx tx, Repository repository) {
        RepositoryRows.setPurged(tx, repository.id());
    }

    /// Lists repositories after the text `after`, sorted by namespace and name: the public ones and all of the
    /// organization, except those of which nothing is approved yet. The access rule then decides what the
    /// caller may see.
    ///
    /// @param organizationId null for only the public ones
    public List<Repository> list(@Nullable UUID organizationId, String after, int limit) {
        return database.read(tx -> RepositoryRows.list(tx, organizationId, after, limit));
    }

    /// Returns some repositories that hold a blob, the repositories of the organization first.
    public List<Repository> holding(UUID organizationId, Digest digest) {
        return database.read(tx -> RepositoryRows.holding(tx, organizationId, digest, HOLDERS));
    }

    /// Changes the visibility of a repository that the transaction has locked.
    public Repository publish(Tx tx, Repository repository, Visibility visibility) {
        RepositoryRows.setVisibility(tx, repository.id(), visibility);
        announce(tx, repository.name());
        return repository.with(visibility);
    }

    /// Announces a change to cached data of a repository with this transaction.
    public static void announce(Tx tx, RepositoryName name) {
        tx.changed(new DataChange(DataChange.Kind.REPOSITORY, name.toString()));
    }
}
