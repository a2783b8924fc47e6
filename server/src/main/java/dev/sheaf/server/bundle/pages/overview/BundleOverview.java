package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.DependentBundle;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.bundle.pages.FetchCommands;
import dev.sheaf.server.bundle.pages.PassportView;
import dev.sheaf.server.bundle.pages.PullBars;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.UserHtml;
import dev.sheaf.server.console.work.EventWords.Happening;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The content of the first page of a bundle.
///
/// @param latest the latest version; null if no version is published, or all are yanked
/// @param hub the bundle's counts; null if the hub does not list it
/// @param pulls the numbers of pulls
/// @param readme the README; null if the bundle has none
/// @param plugin the plugin in the latest version; null if it is none
/// @param skills the skills of the latest version
/// @param skill the only skill; null if there is a README, or not exactly one skill
/// @param stalks the drawing; null if there is no version to draw
/// @param commands null if there is no version to get
/// @param passport what the latest version can touch; null if there is none
/// @param isFromWorkflow whether a run of a workflow published the latest version, as a trusted publisher
/// @param happenings the newest events, for members of the organization
/// @param names the names of those who did something on the page
/// @param dependents public bundles that require it, one more than are shown
public record BundleOverview(
        BundleRecord bundle,
        @Nullable VersionDetail latest,
        List<VersionSummary> versions,
        List<TagStatus> tags,
        @Nullable HubBundle hub,
        PullBars pulls,
        @Nullable UserHtml readme,
        @Nullable PluginView plugin,
        SkillEntry.Some skills,
        @Nullable SkillPreview skill,
        @Nullable BundleDrawing stalks,
        @Nullable FetchCommands commands,
        @Nullable PassportView passport,
        boolean isFromWorkflow,
        List<Happening> happenings,
        PageFrame.Names names,
        List<DependentBundle> dependents) {
    static final int MOST = 10; // tags, statements, and dependents

    public BundleOverview {
        versions = List.copyOf(versions);
        tags = List.copyOf(tags);
        happenings = List.copyOf(happenings);
        dependents = List.copyOf(dependents);
    }

    /// Returns the names of the tags by the version to which they point.
    public Map<String, List<String>> tagNames() {
        return tags.stream()
                .collect(Collectors.groupingBy(
                        TagStatus::version, Collectors.mapping(TagStatus::name, Collectors.toList())));
    }

    /// Returns the entries that fit on the page.
    public List<TagStatus> firstTags() {
        return first(tags);
    }

    /// Returns the entries that fit on the page.
    public List<VersionDetail.Attestation> firstStatements() {
        return latest == null ? List.of() : first(latest.attestations());
    }

    /// Returns the entries that fit on the page.
    public List<DependentBundle> firstDependents() {
        return first(dependents);
    }

    /// Returns the page of a required bundle.
    public static String at(RequiredBundle required) {
        var parts = required.bundle().split("/", 2);
        return ApiPath.of("/{}/{}", parts[0], parts[parts.length - 1]).toString();
    }

    /// Returns the page of a dependent.
    public static String at(DependentBundle dependent) {
        return ApiPath.of("/{}/{}", dependent.namespace(), dependent.bundle()).toString();
    }

    private static <T> List<T> first(List<T> all) {
        return all.subList(0, Math.min(MOST, all.size()));
    }

    /// Returns the deprecation of the bundle, or of its latest version.
    public Resolution.@Nullable Deprecation deprecation() {
        var ofBundle = bundle.deprecation();
        return ofBundle != null || latest == null ? ofBundle : latest.deprecation();
    }

    /// Returns whether the versions that the page lists are all recalled.
    public boolean isRecalled() {
        return !versions.isEmpty() && versions.stream().allMatch(version -> version.recall() != null);
    }

    /// Returns whether the publisher's text is a link to a site.
    public static boolean isLink(@Nullable String url) {
        return url != null && (url.startsWith("https://") || url.startsWith("http://"));
    }
}
