package dev.sheaf.server.db;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;

/// A bounded cache of database look-ups. Missing rows are not cached. The cache is not used while the node does
/// not receive the changes of other nodes, and no entry is kept longer than [#LONGEST]. Thread-safe.
///
/// A look-up holds the cache's lock for its key, and [#forget] waits for it. So no older state is cached after a
/// key was forgotten after a commit. Emptying a Caffeine cache does not wait for look-ups, so [#forgetAll]
/// replaces the cache, and look-ups that are still running end in the old one.
public final class InvalidatedCache<K, V> {
    /// A safety net in case a change was not announced.
    public static final Duration LONGEST = Duration.ofMinutes(5);

    private final BooleanSupplier listening;
    private final int entries;
    private final Ticker time;
    private volatile Cache<K, V> cache;

    public InvalidatedCache(Database database, int entries) {
        this(database::isListening, entries, Ticker.systemTicker());
    }

    InvalidatedCache(BooleanSupplier listening, int entries, Ticker time) {
        this.listening = listening;
        this.entries = entries;
        this.time = time;
        this.cache = empty();
    }

    private Cache<K, V> empty() {
        return Caffeine.newBuilder()
                .maximumSize(entries)
                .expireAfterWrite(LONGEST)
                .ticker(time)
                .build();
    }

    @NullUnmarked // Caffeine takes null for "do not cache"
    public Optional<V> get(K key, Function<K, Optional<V>> lookUp) {
        if (!listening.getAsBoolean()) {
            return lookUp.apply(key);
        }
        return Optional.ofNullable(
                cache.get(key, missing -> lookUp.apply(missing).orElse(null)));
    }

    /// Looks up like [#get]. If the database is unavailable, returns the last known value if it passes; for what
    /// everybody may see.
    public Optional<V> getOrLast(K key, Function<K, Optional<V>> lookUp, Predicate<V> passes) {
        try {
            return get(key, lookUp);
        } catch (ProblemException e) {
            var last = e.problem() instanceof Problem.Unavailable ? last(key).filter(passes) : Optional.<V>empty();
            if (last.isEmpty()) {
                throw e;
            }
            return last;
        }
    }

    /// Returns the last known value, which may be outdated.
    public Optional<V> last(K key) {
        return Optional.ofNullable(cache.getIfPresent(key));
    }

    public void forget(K key) {
        cache.invalidate(key);
    }

    public void forgetAll() {
        cache = empty();
    }
}
