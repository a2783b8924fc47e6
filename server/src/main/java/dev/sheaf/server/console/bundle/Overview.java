package dev.sheaf.server.console.bundle;

import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.console.Markup;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All that the first page of a bundle shows.
///
/// @param latest null: no version is published, or all are yanked
/// @param hub what is counted of it; null: the hub does not list it
/// @param pulls how often it was pulled
/// @param readme null: it has none
/// @param stalks null: there is no version to draw
/// @param own commands of Sheaf's own client
/// @param others commands of other programs
public record Overview(
        BundleRecord bundle,
        @Nullable VersionDetail latest,
        List<VersionSummary> versions,
        List<TagStatus> tags,
        @Nullable HubBundle hub,
        Pulls pulls,
        @Nullable Markup readme,
        @Nullable Stalks stalks,
        List<Commands.Command> own,
        List<Commands.Command> others) {
    private static final int MOST = 20;

    public Overview {
        versions = List.copyOf(versions);
        tags = List.copyOf(tags);
        own = List.copyOf(own);
        others = List.copyOf(others);
    }

    /// The names of the tags that point to a version, by that version.
    public Map<String, List<String>> tagNames() {
        return tags.stream()
                .collect(Collectors.groupingBy(
                        TagStatus::version, Collectors.mapping(TagStatus::name, Collectors.toList())));
    }

    /// Those that a page has room for.
    public List<TagStatus> firstTags() {
        return first(tags);
    }

    /// Those that a page has room for.
    public List<VersionDetail.Warning> firstWarnings() {
        var warnings = latest == null ? null : latest.warnings();
        return warnings == null ? List.of() : first(warnings);
    }

    /// Those that a page has room for.
    public List<VersionDetail.Attestation> firstStatements() {
        return latest == null ? List.of() : first(latest.attestations());
    }

    private static <T> List<T> first(List<T> all) {
        return all.subList(0, Math.min(MOST, all.size()));
    }

    /// The advice against it, whether it is about the bundle or about its latest version.
    public Resolution.@Nullable Deprecation deprecation() {
        var ofBundle = bundle.deprecation();
        return ofBundle != null || latest == null ? ofBundle : latest.deprecation();
    }

    /// Whether what the publisher said leads to a site.
    public static boolean isLink(@Nullable String url) {
        return url != null && (url.startsWith("https://") || url.startsWith("http://"));
    }
}
