package dev.sheaf.server.registry;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import java.util.Optional;
import java.util.function.Supplier;

/// A bounded cache of what repositories hold, all of a repository's entries dropped when a change to it is
/// announced. Thread-safe.
///
/// Every entry is remembered under its repository's current epoch, an object that is thrown away with the
/// change: a look-up that began before it can only leave its answer where nobody looks any more.
public final class RepositoryCache<K, V> {
    private static final class Epoch {}

    private record Key<K>(Epoch epoch, K key) {}

    private static final int REPOSITORIES = 100_000;

    private final InvalidatedCache<RepositoryName, Epoch> epochs;
    private final InvalidatedCache<Key<K>, V> values;

    public RepositoryCache(Database database, int entries) {
        this.epochs = new InvalidatedCache<>(database, REPOSITORIES);
        this.values = new InvalidatedCache<>(database, entries);
        database.onChange(this::forget);
    }

    private void forget(Change change) {
        switch (change.kind()) {
            case REPOSITORY -> epochs.forget(RepositoryName.parse(change.id()));
            case NAMESPACE, EVERYTHING -> epochs.forgetAll();
            case API_KEY, SIGNING_KEY, ORGANIZATION, SESSION, PUBLISHER, TOKEN, WEBHOOK, QUEUE, EVENT, FEED -> {
                // holds nothing of these
            }
        }
    }

    /// What is absent is asked again every time. Of a public repository what was remembered last is good enough
    /// where the database cannot be asked.
    public Optional<V> get(Repository repository, K key, Supplier<Optional<V>> lookUp) {
        var epoch = epochs.last(repository.name())
                .or(() -> epochs.get(repository.name(), name -> Optional.of(new Epoch())))
                .orElseThrow();
        return values.getOrLast(
                new Key<>(epoch, key), missing -> lookUp.get(), value -> repository.visibility() == Visibility.PUBLIC);
    }
}
