package dev.sheaf.server.bundle.pages;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.UserHtml;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.ReadmePages;
import dev.sheaf.server.hub.api.HubWire;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Caches the content of the first pages of bundles until the bundle changes; counts may be a few seconds old.
/// Keeps at most a few megabytes. Thread-safe.
final class OverviewCache {
    private static final int NEWEST = 10;
    private static final int OVERHEAD = 4_000;
    private static final int OF_FILE = 400;
    private static final Duration FRESH = Duration.ofSeconds(30); // as long as caches keep answers of the API

    private final BundleReader bundles;
    private final Hub hub;
    private final ReadmePages readmes;
    private final Cache<Key, BundleOverview> known = Caffeine.newBuilder()
            .maximumWeight(HeapShare.CONSOLE_OVERVIEWS.bytes())
            .weigher(OverviewCache::weight)
            .expireAfterWrite(FRESH)
            .executor(Runnable::run)
            .build();

    /// Everything that the content depends on. Access to the bundle is checked each time before the cache is
    /// used.
    private record Key(long number, boolean isInside, String host, String base) {}

    OverviewCache(BundleReader bundles, Hub hub, ReadmePages readmes) {
        this.bundles = bundles;
        this.hub = hub;
        this.readmes = readmes;
    }

    private static int weight(Key key, BundleOverview overview) {
        var latest = overview.latest();
        var readme = overview.bundle().readmeContent();
        int files = latest == null ? 0 : latest.manifest().assets().size();
        int rendered = overview.readme() == null
                ? 0
                : HeapShare.ofArray(overview.readme().html().bytes().length);
        return OVERHEAD + OF_FILE * files + rendered + (readme == null ? 0 : HeapShare.ofText(readme));
    }

    BundleOverview of(PageCall page, VisibleBundle seen) {
        var key = new Key(
                seen.number(),
                seen.isInside(),
                page.call().registryHost(),
                page.call().baseUrl());
        var found = known.getIfPresent(key);
        if (found == null) {
            found = load(page, seen);
            known.put(key, found);
        }
        return found;
    }

    private BundleOverview load(PageCall page, VisibleBundle seen) {
        var snapshot = seen.snapshot();
        var bundle = bundles.record(snapshot);
        String newest = bundle.latestVersion();
        var latest =
                newest == null ? null : PageCall.find(() -> bundles.detail(page, bundles.resolve(snapshot, newest)));
        var versions = bundles.versions(page, snapshot, NEWEST);
        return new BundleOverview(
                bundle,
                latest,
                versions,
                bundles.tags(page, snapshot, TagPages.SHOWN),
                seen.isPublic() ? PageCall.find(() -> HubWire.detail(page.call(), hub, snapshot)) : null,
                PullChart.of(bundles.downloads(page, snapshot)),
                readme(page, seen, bundle),
                latest == null ? null : BundleDrawing.of(latest.manifest().assets()),
                latest == null ? List.of() : FetchCommands.own(seen, latest),
                latest == null
                        ? List.of()
                        : FetchCommands.others(seen, latest, page.call().baseUrl()),
                seen.isInside() ? page.names(publishers(latest, versions)) : PageFrame.Names.NONE);
    }

    private static Stream<String> publishers(@Nullable VersionDetail latest, List<VersionSummary> versions) {
        var first = latest == null ? "" : PageFormat.text(latest.publishedBy());
        return Stream.concat(
                Stream.of(first), versions.stream().map(version -> PageFormat.text(version.publishedBy())));
    }

    private @Nullable UserHtml readme(PageCall page, VisibleBundle seen, BundleRecord bundle) {
        String text = bundle.readmeContent();
        if (text == null || text.isBlank()) {
            return null;
        }
        String files = seen.at("/versions/latest/files/").toString();
        return new UserHtml(readmes.part(text, bundle.readmeFormat(), files, page.call()::pay));
    }
}
