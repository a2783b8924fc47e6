package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.server.bundle.version.VersionListing;
import dev.sheaf.server.bundle.version.VersionPrefix;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The versions of a bundle: all, or those whose numbers begin as asked. A page of the list begins at a
/// version, not at a cursor, so that its address can be read and kept.
public final class VersionListPages {
    private static final int SHOWN = 50;
    private static final int MOST_TAGS = 200;

    private final BundleReader bundles;

    public VersionListPages(BundleReader bundles) {
        this.bundles = bundles;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open(
                "/{namespace}/{bundle}/versions",
                page -> VisibleBundle.answer(page, bundles, seen -> list(page, seen))));
    }

    private Answer list(PageCall page, VisibleBundle seen) {
        String asked = PageFormat.text(page.query("q")).strip();
        var prefix = asked.isEmpty() ? Optional.of(VersionPrefix.ANY) : VersionPrefix.parse(asked);
        var part = prefix.map(from -> bundles.listed(page, seen.snapshot(), wanted(page, from), SHOWN))
                .orElse(new ListedVersion.Part(List.of(), false, false));
        var versions = part.versions();
        page.naming(page.names(versions.stream().map(one -> one.summary().publishedBy())));
        var tags = bundles.tags(page, seen.snapshot(), MOST_TAGS).stream()
                .collect(Collectors.groupingBy(
                        TagStatus::version, Collectors.mapping(TagStatus::name, Collectors.toList())));
        String call = "GET " + seen.api("/versions").with("limit", SHOWN);
        var view = seen.view(page, "Versions", "versions");
        ShownTrust.ofLatest(page, bundles, seen).ifPresent(trust -> view.with("trust", trust));
        return view.with("head", bundles.head(page, seen))
                .with("asked", asked)
                .with("part", part)
                .with("tags", tags)
                .with("next", !part.hasLower() ? "" : link(seen, asked, "below", versions.getLast()))
                .with("previous", !part.hasHigher() ? "" : link(seen, asked, "above", versions.getFirst()))
                .forMachines(call, "sheaf versions " + seen.word())
                .show();
    }

    private static VersionListing.Wanted wanted(PageCall page, VersionPrefix prefix) {
        return new VersionListing.Wanted(prefix, version(page, "below"), version(page, "above"));
    }

    /// Returns the version of a parameter; null if it is missing or not a version.
    private static @Nullable Version version(PageCall page, String parameter) {
        return Version.find(PageFormat.text(page.query(parameter))).orElse(null);
    }

    private static String link(VisibleBundle seen, String asked, String side, ListedVersion version) {
        ApiPath list = seen.at("/versions").with("q", asked);
        return list.with(side, version.number()).toString();
    }
}
