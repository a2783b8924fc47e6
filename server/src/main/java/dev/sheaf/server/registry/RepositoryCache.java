package dev.sheaf.server.registry;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.heap.HeapShare;
import java.util.Optional;
import java.util.function.Supplier;

/// A bounded cache of repositories' contents. An announced change drops all entries of its repository.
/// Thread-safe.
///
/// Each entry is stored under the current epoch of its repository, an object that a change discards. A look-up
/// that began before the change can only store its answer under the old epoch, where nobody reads it.
public final class RepositoryCache<K, V> {
    private static final class Epoch {}

    private record Key<K>(Epoch epoch, K key) {}

    private static final int REPOSITORIES = HeapShare.REPOSITORIES.entries(16, 150); // of each such cache

    private final InvalidatedCache<RepositoryName, Epoch> epochs;
    private final InvalidatedCache<Key<K>, V> values;

    /// @param name a word for the metrics
    public RepositoryCache(Database database, String name, int entries) {
        this.epochs = new InvalidatedCache<>(database, "epochs", REPOSITORIES);
        this.values = new InvalidatedCache<>(database, name, entries);
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case REPOSITORY -> epochs.forget(RepositoryName.parseAny(change.id()));
            case NAMESPACE, EVERYTHING -> epochs.forgetAll();
            case API_KEY, SIGNING_KEY, ORGANIZATION, SESSION, PUBLISHER, TOKEN, WEBHOOK, QUEUE, EVENT, FEED -> {
                // caches nothing of these kinds
            }
        }
    }

    /// Returns a value. A missing one is looked up again every time. For a public repository, the last cached
    /// value is used while the database is unavailable.
    public Optional<V> get(Repository repository, K key, Supplier<Optional<V>> lookUp) {
        var epoch = epochs.last(repository.name())
                .or(() -> epochs.get(repository.name(), name -> Optional.of(new Epoch())))
                .orElseThrow();
        return values.getOrLast(
                new Key<>(epoch, key), missing -> lookUp.get(), value -> repository.visibility() == Visibility.PUBLIC);
    }
}
