package dev.sheaf.server.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Digest;
import dev.sheaf.server.heap.HeapShare;
import java.time.Duration;
import java.util.Optional;

/// A cache of public pages, as shown to readers who are not signed in. Keeps each for a short time.
/// Thread-safe.
final class KeptPages {
    /// As long as caches keep answers of the API, and shorter than a minute, the smallest unit of
    /// [PageFormat#relative].
    static final Duration FRESH = Duration.ofSeconds(30);

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
            .maximumWeight(HeapShare.CONSOLE_PAGES.bytes())
            .<Key, Kept>weigher((key, page) -> HeapShare.ofArray(page.html().length)
                    + HeapShare.ofText(key.path())
                    + HeapShare.ofText(key.host())
                    + HeapShare.ENTRY)
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
