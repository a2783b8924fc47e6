package dev.sheaf.server.skill;

import dev.sheaf.model.ProblemException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Work that is done once for all who ask for it at the same time. Thread-safe.
public final class SharedWork<K, V> {
    private final ConcurrentHashMap<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

    /// Runs the work. Concurrent callers with the same key wait for the first one, and get its result.
    ///
    /// @throws ProblemException those of the work
    public V get(K key, Supplier<V> work) {
        var mine = new CompletableFuture<V>();
        var others = underWay.putIfAbsent(key, mine);
        if (others != null) {
            return await(others);
        }
        try {
            var made = work.get();
            mine.complete(made);
            return made;
        } catch (RuntimeException | Error e) { // else those who wait would do so for ever
            mine.completeExceptionally(e);
            throw e;
        } finally {
            underWay.remove(key, mine);
        }
    }

    private static <V> V await(CompletableFuture<V> others) {
        try {
            return others.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ProblemException problem) {
                throw problem;
            }
            throw e;
        }
    }
}
