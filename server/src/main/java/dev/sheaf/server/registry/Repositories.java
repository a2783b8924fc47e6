package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The repositories, by name. Thread-safe; look-ups are cached until a change is announced.
public final class Repositories {
    private static final int CACHED = 100_000;
    private static final int HOLDERS = 100;

    private final Database database;
    private final InvalidatedCache<RepositoryName, Repository> known;

    public Repositories(Database database) {
        this.database = database;
        this.known = new InvalidatedCache<>(database, CACHED);
        database.onChange(this::forget);
    }

    private void forget(Change change) {
        switch (change.kind()) {
            case REPOSITORY -> known.forget(RepositoryName.parse(change.id()));
            case NAMESPACE, EVERYTHING -> known.forgetAll();
            case API_KEY, SIGNING_KEY, ORGANIZATION, SESSION, PUBLISHER, TOKEN, WEBHOOK, QUEUE, EVENT, FEED -> {
                // holds nothing of these
            }
        }
    }

    /// The repository, whoever asks: for those who have asked [#find(Caller,RepositoryName)] before.
    public Optional<Repository> find(RepositoryName name) {
        return known.getOrLast(
                name, missing -> database.read(tx -> RepositoryRows.find(tx, missing)), Repositories::isPublic);
    }

    /// The repository, for a caller who may yet be told that there is none. What is missing is looked up every
    /// time, since another node may have made it a moment ago. What is hidden from the caller takes one look-up
    /// too, or the time that a refusal takes would tell that there is something to hide.
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

    /// Whether the namespace has anything that everybody sees.
    public boolean isAnyPublic(Namespace namespace) {
        return database.read(tx -> RepositoryRows.isAnyPublic(tx, namespace));
    }

    private static boolean isPublic(Repository repository) {
        return repository.visibility() == Visibility.PUBLIC;
    }

    /// A repository that the transaction found missing, made private, and locked as by [#lock]; any number of
    /// callers may do this at once. Its namespace must be there.
    ///
    /// Empty where somebody has made it meanwhile, and deleted it again.
    public Optional<Repository> make(Tx tx, RepositoryName name) {
        var made = RepositoryRows.insert(tx, name);
        made.ifPresent(repository -> announce(tx, name));
        return made.isPresent() ? made : lock(tx, name);
    }

    /// The repository as it stands now, locked until the transaction ends: no other transaction locks or
    /// changes its row, while blobs can still be linked to it.
    ///
    /// Empty where there is none.
    public Optional<Repository> lock(Tx tx, RepositoryName name) {
        return RepositoryRows.lock(tx, name);
    }

    /// A repository that is hidden, and whether anything but tombstones is left in it.
    public record Deleted(Repository repository, Instant deletedAt, boolean purged) {}

    /// The deleted repository of this name, locked until the transaction ends. Nothing else finds it.
    public Optional<Deleted> lockDeleted(Tx tx, RepositoryName name) {
        return RepositoryRows.lockDeleted(tx, name);
    }

    /// Names of repositories that were deleted at or before a moment and of which something is left, the oldest
    /// first.
    public List<RepositoryName> unpurged(Tx tx, Instant before, int limit) {
        return RepositoryRows.unpurged(tx, before, limit);
    }

    /// Hides a repository that the transaction has locked from everybody at once; its name stays taken.
    public void delete(Tx tx, Repository repository) {
        RepositoryRows.setDeleted(tx, repository.id(), tx.now());
        announce(tx, repository.name());
    }

    /// Shows a deleted repository again.
    public void restore(Tx tx, Repository repository) {
        RepositoryRows.setDeleted(tx, repository.id(), null);
        announce(tx, repository.name());
    }

    /// Says that nothing but tombstones is left of a deleted repository.
    public void purged(Tx tx, Repository repository) {
        RepositoryRows.setPurged(tx, repository.id());
    }

    /// Repositories sorted by namespace and then by name, those after the text `after`: the public ones, and
    /// all of the organization. The access rule has the last word on what of it a caller may see.
    ///
    /// @param organizationId null: only the public ones
    public List<Repository> list(@Nullable UUID organizationId, String after, int limit) {
        return database.read(tx -> RepositoryRows.list(tx, organizationId, after, limit));
    }

    /// Some repositories that hold a blob, the organization's own first.
    public List<Repository> holding(UUID organizationId, Digest digest) {
        return database.read(tx -> RepositoryRows.holding(tx, organizationId, digest, HOLDERS));
    }

    /// The repository, which the transaction has locked, with another visibility.
    public Repository publish(Tx tx, Repository repository, Visibility visibility) {
        RepositoryRows.setVisibility(tx, repository.id(), visibility);
        announce(tx, repository.name());
        return new Repository(repository.id(), repository.name(), repository.organizationId(), visibility);
    }

    /// Says that something that is cached of a repository changes with this transaction.
    public static void announce(Tx tx, RepositoryName name) {
        tx.changed(new Change(Change.Kind.REPOSITORY, name.toString()));
    }
}
