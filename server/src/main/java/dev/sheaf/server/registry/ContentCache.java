package dev.sheaf.server.registry;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.server.heap.HeapShare;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.NullUnmarked;

/// Caches small immutable content by row id, up to a number of bytes. Thread-safe. Callers must have checked
/// membership and rights. Ids are never reused, so entries never become wrong; only purged content has to be
/// dropped.
public final class ContentCache {
    private final Cache<Long, byte[]> cache;

    /// @param name a word for the metrics
    public ContentCache(Database database, String name, long bytes) {
        this.cache = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .expireAfterWrite(InvalidatedCache.LONGEST)
                .recordStats(() -> database.cache(name))
                .weigher((Long id, byte[] content) -> HeapShare.ofArray(content.length) + HeapShare.ENTRY)
                .build();
        database.onChange(change -> {
            if (change.concernsContent()) {
                cache.invalidateAll();
            }
        });
    }

    /// Returns the bytes themselves, not a copy. Missing content is not cached.
    @NullUnmarked // null tells Caffeine not to cache
    public Optional<byte[]> find(long id, LongFunction<Optional<byte[]>> lookUp) {
        return Optional.ofNullable(
                cache.get(id, missing -> lookUp.apply(missing).orElse(null)));
    }
}
