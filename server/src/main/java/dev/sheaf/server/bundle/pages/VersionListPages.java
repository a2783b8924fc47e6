package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.server.bundle.VersionState;
import dev.sheaf.server.bundle.version.VersionListing;
import dev.sheaf.server.bundle.version.VersionPrefix;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The versions of a bundle: all, those whose numbers begin as asked, or those in one state. A page of the list
/// begins at a version, not at a cursor, so that its address can be read and kept.
public final class VersionListPages {
    private static final int SHOWN = 50;
    private static final int MOST_TAGS = 200;

    private final BundleReader bundles;

    public VersionListPages(BundleReader bundles) {
        this.bundles = bundles;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open(
                        "/{namespace}/{bundle}/versions",
                        page -> VisibleBundle.answer(page, bundles, seen -> list(page, seen))),
                // beside the versions, whose numbers and tags are the names below them
                pages.own("/{namespace}/{bundle}/versions.csv", this::table));
    }

    /// What the reader asks for.
    ///
    /// @param text the beginning of a number; empty for all
    /// @param state the states to list
    public record Asked(String text, VersionState state) {
        static Asked of(PageCall page) {
            return new Asked(
                    PageFormat.text(page.query("q")).strip(),
                    VersionState.parse(PageFormat.text(page.query("state"))).orElse(VersionState.ANY));
        }

        /// Returns whether the list is confined.
        public boolean isPart() {
            return !text.isEmpty() || state != VersionState.ANY;
        }

        /// Returns whether the list is that of a state.
        public boolean is(String name) {
            return state.toString().equals(name);
        }

        ApiPath in(ApiPath list) {
            return list.with("q", text).with("state", state == VersionState.ANY ? null : state.toString());
        }

        /// Returns the prefix of the numbers; empty if no version begins like that.
        Optional<VersionPrefix> prefix() {
            return text.isEmpty() ? Optional.of(VersionPrefix.ANY) : VersionPrefix.parse(text);
        }
    }

    private Answer list(PageCall page, VisibleBundle seen) {
        var asked = Asked.of(page);
        var part = asked.prefix()
                .map(from -> bundles.listed(
                        page,
                        seen.snapshot(),
                        new VersionListing.Wanted(from, asked.state(), version(page, "below"), version(page, "above")),
                        SHOWN))
                .orElse(new ListedVersion.Part(List.of(), false, false));
        var versions = part.versions();
        page.naming(page.names(versions.stream().map(one -> one.summary().publishedBy())));
        var tags = bundles.tags(page, seen.snapshot(), MOST_TAGS);
        String call = "GET " + seen.api("/versions").with("limit", SHOWN);
        var view = seen.view(page, "Versions", "versions");
        ShownTrust.ofLatest(page, bundles, seen).ifPresent(trust -> view.with("trust", trust));
        return view.with("head", bundles.head(page, seen))
                .with("asked", asked)
                .with("part", part)
                .with("tags", byVersion(tags))
                .with("isEveryTag", tags.size() < MOST_TAGS)
                .with("next", !part.hasLower() ? "" : link(seen, asked, "below", versions.getLast()))
                .with("previous", !part.hasHigher() ? "" : link(seen, asked, "above", versions.getFirst()))
                .with("first", asked.in(seen.at("/versions")).toString())
                .with("table", asked.in(seen.at("/versions.csv")).toString())
                .forMachines(call, "sheaf versions " + seen.word())
                .show();
    }

    private Answer table(PageCall page) {
        var seen = VisibleBundle.of(page, bundles);
        var asked = Asked.of(page);
        return VersionTable.download(page, bundles, seen, asked);
    }

    /// Returns the names of tags by version.
    static Map<String, List<String>> byVersion(List<TagStatus> tags) {
        return tags.stream()
                .collect(Collectors.groupingBy(
                        TagStatus::version, Collectors.mapping(TagStatus::name, Collectors.toList())));
    }

    /// Returns the version of a parameter; null if it is missing or not a version.
    private static @Nullable Version version(PageCall page, String parameter) {
        return Version.find(PageFormat.text(page.query(parameter))).orElse(null);
    }

    private static String link(VisibleBundle seen, Asked asked, String side, ListedVersion version) {
        return asked.in(seen.at("/versions")).with(side, version.number()).toString();
    }
}
