package dev.sheaf.server.bundle.pages.overview;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.bundle.SkillDocuments;
import dev.sheaf.server.bundle.pages.BundleActivity;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.FetchCommands;
import dev.sheaf.server.bundle.pages.PullBars;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.bundle.pages.files.OpenedVersion;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.UserHtml;
import dev.sheaf.server.event.FeedRow;
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
    private static final int NEWEST = 5;
    private static final int TAGS = 50;
    private static final int EVENTS = 5;
    private static final int OF_EVENT = 3_000;
    private static final int OVERHEAD = 20_000;
    private static final int OF_SKILL = 1_500;
    private static final int OF_SERVER = 4_000;
    private static final int OF_FILE = 400;
    private static final Duration FRESH = Duration.ofSeconds(30); // as long as caches keep answers of the API

    private final BundleReader bundles;
    private final Hub hub;
    private final BundleActivity activity;
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

    OverviewCache(BundleReader bundles, Hub hub, BundleActivity activity, ReadmePages readmes) {
        this.bundles = bundles;
        this.hub = hub;
        this.activity = activity;
        this.readmes = readmes;
    }

    private static int weight(Key key, BundleOverview overview) {
        var latest = overview.latest();
        var readme = overview.bundle().readmeContent();
        int files = latest == null ? 0 : latest.manifest().assets().size();
        int rendered = overview.readme() == null
                ? 0
                : HeapShare.ofArray(overview.readme().html().bytes().length);
        var skill = overview.skill();
        int previewed = skill == null || skill.html() == null
                ? 0
                : HeapShare.ofArray(skill.html().html().bytes().length);
        int skills = OF_SKILL * overview.skills().shown().size();
        var plugin = overview.plugin();
        int servers = plugin == null ? 0 : OF_SERVER * (1 + plugin.servers().size());
        return OVERHEAD
                + OF_FILE * files
                + rendered
                + previewed
                + skills
                + servers
                + OF_EVENT * overview.happenings().size()
                + (readme == null ? 0 : HeapShare.ofText(readme));
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
        var opened = newest == null ? null : PageCall.find(() -> OpenedVersion.of(page, bundles, seen, newest));
        var latest = opened == null ? null : opened.version();
        var versions = bundles.versions(page, snapshot, NEWEST);
        var readme = readme(page, seen, bundle);
        List<SkillDocuments.Document> skills = opened == null ? List.of() : bundles.skills(opened.found());
        var passport = opened == null || latest == null ? null : bundles.passport(page, seen, opened.found(), latest);
        List<FeedRow> events = seen.isInside() ? activity.newest(seen, EVENTS) : List.of();
        var names = seen.isInside() ? page.names(actors(latest, versions, events)) : PageFrame.Names.NONE;
        return new BundleOverview(
                bundle,
                latest,
                versions,
                bundles.tags(page, snapshot, TAGS),
                seen.isPublic() ? PageCall.find(() -> HubWire.detail(page.call(), hub, snapshot)) : null,
                PullBars.of(bundles.downloads(page, snapshot), latest == null ? null : latest.createdAt()),
                readme,
                opened == null
                        ? null
                        : PluginView.of(
                                bundles,
                                seen,
                                bundles.plugin(opened.found()),
                                page.call().baseUrl()),
                latest == null || passport == null || skills.size() < 2
                        ? SkillEntry.Some.NONE
                        : SkillEntry.of(page, seen, latest, passport, skills),
                opened == null || readme != null || skills.size() != 1 ? null : preview(page, opened, skills),
                latest == null ? null : BundleDrawing.of(latest.manifest().assets()),
                latest == null
                        ? null
                        : FetchCommands.of(seen, latest, false, page.call().baseUrl()),
                passport,
                opened != null
                        && Credential.Run.isActor(
                                opened.found().resolved().version().publishedBy()),
                activity.inWords(events, names),
                names,
                bundles.dependents(snapshot, BundleOverview.MOST + 1));
    }

    private @Nullable SkillPreview preview(PageCall page, OpenedVersion opened, List<SkillDocuments.Document> skills) {
        var document = skills.getFirst().skill().document();
        return SkillPreview.of(page, bundles, opened, document.path().value());
    }

    private static Stream<@Nullable String> actors(
            @Nullable VersionDetail latest, List<VersionSummary> versions, List<FeedRow> events) {
        return Stream.of(
                        Stream.of(latest == null ? null : latest.publishedBy()),
                        versions.stream().map(VersionSummary::publishedBy),
                        events.stream().map(FeedRow::actor))
                .flatMap(actors -> actors);
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
