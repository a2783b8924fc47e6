package dev.sheaf.server.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Digest;
import java.time.Duration;
import java.util.Optional;

/// A cache of public pages, as shown to readers who are not signed in. Keeps each for a short time, and at most
/// a few megabytes in total. Thread-safe.
final class KeptPages {
    private static final long MOST = 16 << 20;
    private static final int OVERHEAD = 500;
    private static final Duration FRESH = Duration.ofSeconds(30); // as long as caches keep answers of the API

    /// Everything that such a page depends on.
    ///
    /// @param number the number of the shown object, see [PageCall#shared]
    record Key(long number, String path, String host, String baseUrl, String theme) {}

    /// @param html the page; must not be modified
    record Kept(byte[] html, Digest digest) {
        Kept(byte[] html) {
            this(html, Digest.sha256(html));
        }
    }

    private final Cache<Key, Kept> known = Caffeine.newBuilder()
            .maximumWeight(MOST)
            .<Key, Kept>weigher((key, page) -> page.html().length + OVERHEAD)
            .expireAfterWrite(FRESH)
            .executor(Runnable::run)
            .build();

    Optional<Kept> find(Key key) {
        return Optional.ofNullable(known.getIfPresent(key));
    }

    Kept keep(Key key, byte[] html) {
        var kept = new Kept(html);
        known.put(key, kept);
        return kept;
    }
}
