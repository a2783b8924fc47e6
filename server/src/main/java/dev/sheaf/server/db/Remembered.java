package dev.sheaf.server.db;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.NullUnmarked;

/// A bounded cache over look-ups in the database. Thread-safe. What is absent is asked again every time.
///
/// A look-up runs inside the cache's lock of its key, and [#forget] waits for it: whoever forgets a key after a
/// commit can be sure that no older state is remembered afterwards. To empty a Caffeine cache does not wait for
/// look-ups, so [#forgetAll] puts another in its place, and what is still being looked up ends in the old one.
public final class Remembered<K, V> {
    private final int entries;
    private volatile Cache<K, V> cache;

    public Remembered(int entries) {
        this.entries = entries;
        this.cache = empty(entries);
    }

    private static <K, V> Cache<K, V> empty(int entries) {
        return Caffeine.newBuilder().maximumSize(entries).build();
    }

    @NullUnmarked // Caffeine takes null for "do not remember"
    public Optional<V> get(K key, Function<K, Optional<V>> lookUp) {
        return Optional.ofNullable(
                cache.get(key, missing -> lookUp.apply(missing).orElse(null)));
    }

    public void forget(K key) {
        cache.invalidate(key);
    }

    public void forgetAll() {
        cache = empty(entries);
    }
}
