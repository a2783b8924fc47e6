package dev.sheaf.server.hub.pages;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.api.HubWire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A publisher: the bundles of a namespace that the reader may see.
public final class PublisherPages {
    private static final int SHOWN = 50;

    private final BundleList list;
    private final Hub hub;

    public PublisherPages(BundleList list, Hub hub) {
        this.list = list;
        this.hub = hub;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open("/{namespace}", this::show));
    }

    /// A bundle of the list.
    ///
    /// @param name its display name; empty if that is its slug
    /// @param version the latest version; empty if there is none
    /// @param hub its entry at the hub; null if it has none, because it is private or has no version
    public record Row(
            String slug,
            String name,
            String description,
            boolean isPublic,
            String version,
            Instant changedAt,
            List<BundleBadges.Badge> badges,
            @Nullable HubBundle hub) {
        public Row {
            badges = List.copyOf(badges);
        }
    }

    private Answer show(PageCall page) {
        String namespace = page.parameter("namespace");
        String call =
                "GET " + ApiPath.of("/v1/namespaces/{}/bundles", namespace).with("limit", SHOWN);
        String cursor = page.query("cursor");
        var name = page.parameter("namespace", Namespace::parse);
        var found = bundles(page, name);
        var listed = hub.page(new Hub.Filter(null, null, name, null), Hub.Sort.RELEVANCE, null, 1);
        return page.view(namespace, "hub/pages/publisher")
                .with("namespace", namespace)
                .with(
                        "displayName",
                        listed.isEmpty() ? "" : listed.getFirst().entry().publisher())
                .with("hasFeed", !listed.isEmpty())
                .with("bundles", rows(page, found.data()))
                .paged(() -> ApiPath.of("/{}", namespace), cursor, found.meta().nextCursor())
                .forEverybody()
                .followedAt(
                        listed.isEmpty()
                                ? ""
                                : ApiPath.of("/v1/hub/publishers/{}/feed.atom", namespace)
                                        .toString())
                .in("browse")
                .forMachines(call, "sheaf bundles " + ShellQuoting.quote(namespace))
                .show();
    }

    private List<Row> rows(PageCall page, List<BundleSnapshot> bundles) {
        var entries = hub.entries(
                bundles.stream().map(bundle -> bundle.repository().id()).toList());
        var others = bundles.stream()
                .filter(bundle -> !entries.containsKey(bundle.repository().id()))
                .toList();
        var versions = list.versions(others);
        var words = AssetWords.of(page.call());
        return bundles.stream()
                .map(bundle -> {
                    var entry = entries.get(bundle.repository().id());
                    return entry == null
                            ? unlisted(bundle, versions.get(bundle.bundle().id()))
                            : row(bundle, HubWire.summary(words, entry));
                })
                .toList();
    }

    private static Row row(BundleSnapshot bundle, HubBundle entry) {
        return row(bundle, entry.latestVersion(), BundleBadges.of(entry), entry);
    }

    /// Returns a bundle that is private or has no version that is not yanked.
    private static Row unlisted(BundleSnapshot bundle, BundleList.@Nullable VersionState versions) {
        var badges = new ArrayList<BundleBadges.Badge>();
        var deprecation = bundle.bundle().deprecation();
        if (deprecation != null) {
            badges.add(BundleBadges.deprecated(deprecation.replacement()));
        }
        String latest = versions == null ? null : versions.latest();
        if (latest == null) {
            badges.add(
                    versions != null && versions.hasVersions()
                            ? new BundleBadges.Badge("bad", "yank", "All versions are yanked")
                            : new BundleBadges.Badge(null, "info", "No version yet"));
        }
        var risk = versions == null ? null : versions.risk();
        if (risk != null && risk.findings() > 0) {
            badges.add(BundleBadges.findings(risk.findings(), risk.isHigh()));
        }
        if (risk != null) {
            badges.addAll(BundleBadges.extent(risk.extent().toString()));
        }
        return row(bundle, PageFormat.text(latest), badges, null);
    }

    private static Row row(
            BundleSnapshot bundle, String version, List<BundleBadges.Badge> badges, @Nullable HubBundle entry) {
        var row = bundle.bundle();
        String slug = bundle.name().bundle().value();
        String name = row.profile().name();
        return new Row(
                slug,
                name.equals(slug) ? "" : name,
                PageFormat.text(row.profile().description()),
                bundle.visibility() == Visibility.PUBLIC,
                version,
                Objects.requireNonNullElse(row.updatedAt(), row.createdAt()),
                badges,
                entry);
    }

    /// Returns the bundles. Missing and hidden publishers look the same, even to readers who are not
    /// signed in.
    private Page<BundleSnapshot> bundles(PageCall page, Namespace name) {
        try {
            var paging = page.paging(SHOWN);
            var rows = list.list(page.call().caller(), name, BundleList.Filter.ALL, paging.after(), paging.fetch());
            return paging.list(rows, row -> row.name().bundle().value(), row -> row);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthenticated) {
                throw new Problem.NotFound("the publisher").raise();
            }
            throw e;
        }
    }
}
