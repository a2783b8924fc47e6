package dev.sheaf.server.registry;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.NullUnmarked;

/// Small immutable content by the id of its row, bounded by bytes. Thread-safe. Whoever asks has checked membership
/// and rights first. Ids are never used again, so nothing needs to be forgotten, except what must leave the memory
/// too.
public final class ContentCache {
    private static final int ENTRY_OVERHEAD = 128;

    private final Cache<Long, byte[]> cache;

    public ContentCache(Database database, long bytes) {
        this.cache = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .expireAfterWrite(InvalidatedCache.LONGEST)
                .weigher((Long id, byte[] content) -> content.length + ENTRY_OVERHEAD)
                .build();
        database.onChange(change -> {
            if (change.kind() == Change.Kind.EVERYTHING) {
                cache.invalidateAll();
            }
        });
    }

    /// The bytes themselves, not a copy. What the look-up does not find is not remembered.
    @NullUnmarked // Caffeine takes null for "do not remember"
    public Optional<byte[]> find(long id, LongFunction<Optional<byte[]>> lookUp) {
        return Optional.ofNullable(
                cache.get(id, missing -> lookUp.apply(missing).orElse(null)));
    }
}
