package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Namespace;
import java.util.concurrent.atomic.AtomicLongArray;

/// Counts the changes of the bundles of namespaces. A cache that has such a number in its keys finds nothing that was
/// made before a change, and needs no list of its keys. Several namespaces may share a number. Thread-safe.
public final class NamespaceChanges {
    private static final int NUMBERS = 1_024;

    private final AtomicLongArray numbers = new AtomicLongArray(NUMBERS + 1); // the last is that of all namespaces

    public NamespaceChanges(Database database) {
        database.onChange(this::count);
    }

    private void count(DataChange change) {
        switch (change.kind()) {
            case REPOSITORY -> {
                String namespace = change.id().substring(0, change.id().indexOf('/'));
                numbers.incrementAndGet(place(namespace));
                numbers.incrementAndGet(NUMBERS);
            }
            case NAMESPACE, EVERYTHING -> {
                for (int i = 0; i <= NUMBERS; i++) {
                    numbers.incrementAndGet(i);
                }
            }
            default -> {} // no list of bundles depends on these kinds
        }
    }

    private static int place(String namespace) {
        return Math.floorMod(namespace.hashCode(), NUMBERS);
    }

    /// Returns the number of a namespace. It must be read before what depends on the bundles.
    public long of(Namespace namespace) {
        return numbers.get(place(namespace.value()));
    }

    /// Returns the number of all namespaces together.
    public long ofAll() {
        return numbers.get(NUMBERS);
    }
}
