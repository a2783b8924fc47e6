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

/// A bounded cache over look-ups in the database. Thread-safe. What is absent is asked again every time. While the node
/// does not hear what others change, everything is; and nothing is remembered for longer than [#LONGEST], whatever was
/// heard.
///
/// A look-up runs inside the cache's lock of its key, and [#forget] waits for it: whoever forgets a key after a
/// commit can be sure that no older state is remembered afterwards. To empty a Caffeine cache does not wait for
/// look-ups, so [#forgetAll] puts another in its place, and what is still being looked up ends in the old one.
public final class InvalidatedCache<K, V> {
    /// The second line, should something change and nobody tell.
    public static final Duration LONGEST = Duration.ofMinutes(5);

    private final BooleanSupplier hears;
    private final int entries;
    private final Ticker time;
    private volatile Cache<K, V> cache;

    public InvalidatedCache(Database database, int entries) {
        this(database::hears, entries, Ticker.systemTicker());
    }

    InvalidatedCache(BooleanSupplier hears, int entries, Ticker time) {
        this.hears = hears;
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

    @NullUnmarked // Caffeine takes null for "do not remember"
    public Optional<V> get(K key, Function<K, Optional<V>> lookUp) {
        if (!hears.getAsBoolean()) {
            return lookUp.apply(key);
        }
        return Optional.ofNullable(
                cache.get(key, missing -> lookUp.apply(missing).orElse(null)));
    }

    /// The same, but where the database cannot be asked, what was remembered last is good enough if it passes: for
    /// what everybody may see.
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

    /// What was remembered last, whether it may be believed or not.
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
