package dev.sheaf.engine.db;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import com.github.benmanes.caffeine.cache.Weigher;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/// A bounded cache of database look-ups. Missing rows are not cached. The cache is not used while the node does
/// not receive the changes of other nodes, and no entry is kept longer than [#LONGEST]. Thread-safe.
///
/// No call waits for the look-up of another, which may wait for a connection. Look-ups of a key share a token,
/// and [#forget] takes it away. The first that ends keeps its value if the token is still there, and removes it.
/// So after a commit and [#forget], the cache cannot contain an older state. [#forgetAll] replaces the cache, and
/// look-ups that are still running end in the old one.
public final class InvalidatedCache<K, V> {
    /// A safety net in case a change was not announced.
    public static final Duration LONGEST = Duration.ofMinutes(5);

    private final BooleanSupplier current;
    private final long most;
    private final Weigher<K, V> weigher;
    private final Ticker time;
    private final StatsCounter counter;
    private final ConcurrentMap<K, Object> pending = new ConcurrentHashMap<>(); // tokens of look-ups
    private volatile Cache<K, V> cache;

    /// @param name a word for the metrics; caches with the same name are counted together
    public InvalidatedCache(Database database, String name, int entries) {
        this(database, name, entries, Weigher.singletonWeigher());
    }

    /// @param most the limit of the sum of all weights
    public InvalidatedCache(Database database, String name, long most, Weigher<K, V> weigher) {
        this(database::isCurrent, most, weigher, Ticker.systemTicker(), database.cache(name));
    }

    InvalidatedCache(BooleanSupplier current, int entries, Ticker time, StatsCounter counter) {
        this(current, entries, Weigher.singletonWeigher(), time, counter);
    }

    private InvalidatedCache(
            BooleanSupplier current, long most, Weigher<K, V> weigher, Ticker time, StatsCounter counter) {
        this.current = current;
        this.most = most;
        this.weigher = weigher;
        this.time = time;
        this.counter = counter;
        this.cache = empty();
    }

    private Cache<K, V> empty() {
        return Caffeine.newBuilder()
                .maximumWeight(most)
                .weigher(weigher)
                .expireAfterWrite(LONGEST)
                .ticker(time)
                .recordStats(() -> counter)
                .build();
    }

    public Optional<V> get(K key, Function<K, Optional<V>> lookUp) {
        if (!current.getAsBoolean()) {
            counter.recordMisses(1);
            return lookUp.apply(key);
        }
        var its = cache; // before the look-up: see forgetAll
        var known = its.getIfPresent(key);
        return known == null ? lookedUp(its, key, lookUp) : Optional.of(known);
    }

    private Optional<V> lookedUp(Cache<K, V> its, K key, Function<K, Optional<V>> lookUp) {
        var token = pending.computeIfAbsent(key, same -> new Object());
        try {
            var found = lookUp.apply(key);
            found.ifPresent(value -> pending.computeIfPresent(key, (same, left) -> {
                if (left == token) {
                    its.put(key, value);
                }
                return left;
            }));
            return found;
        } finally {
            pending.remove(key, token);
        }
    }

    /// Looks up like [#get]. If the database is unavailable, returns the last known value if it passes; for
    /// data that everybody may see.
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
        pending.remove(key);
        cache.invalidate(key);
    }

    public void forgetAll() {
        cache = empty();
    }
}
