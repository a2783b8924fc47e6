package dev.sheaf.server.bundle.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.entity.EntityTag;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import java.util.UUID;

/// Resolutions in the form in which they are sent. Most requests repeat earlier ones, so the JSON is written
/// and its validator computed only once. A change of a bundle creates another snapshot, so entries are never
/// out of date. Thread-safe.
final class ResolutionCache {
    private static final int MAX_ENTRY = 64 << 10;

    private final Cache<Key, Json.Written> written = Caffeine.newBuilder()
            .maximumWeight(HeapShare.RESOLUTIONS.bytes())
            .<Key, Json.Written>weigher((key, json) ->
                    json.length() + HeapShare.ofText(key.asked) + HeapShare.ofText(key.host) + HeapShare.ENTRY)
            .build();

    /// Everything that the JSON depends on.
    ///
    /// @param asked the selector as the caller wrote it; the answer repeats it
    /// @param inside whether the caller may see who did what
    private record Key(
            long snapshot,
            UUID version,
            String resolvedBy,
            String asked,
            String host,
            AssetWords words,
            boolean inside) {}

    /// @param asked as in [BundleRecords#resolution]
    Json.Written of(Resolve.Answer answer, String asked, Call call) {
        var version = answer.resolved().version().id();
        var words = AssetWords.of(call);
        String resolvedBy = BundleRecords.resolvedBy(answer.selector());
        var key = new Key(
                answer.bundle().number(),
                version,
                resolvedBy,
                asked,
                call.registryHost(),
                words,
                BundleRecords.isInside(answer.bundle(), call));
        var known = written.getIfPresent(key);
        if (known != null) {
            return known;
        }
        byte[] bytes = Json.write(BundleRecords.resolution(answer, asked, call));
        var made = new Json.Written(bytes, EntityTag.of(bytes));
        if (bytes.length <= MAX_ENTRY) {
            written.put(key, made);
        }
        return made;
    }
}
