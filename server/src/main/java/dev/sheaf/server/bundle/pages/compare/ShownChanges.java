package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.RequirementChange;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.registry.Repository;

/// The changes of a version, as far as a page has room for them.
///
/// @param before the page of the version before; empty if there is none
/// @param after the page of the version; empty if it has none, because it waits for approval
public record ShownChanges(
        VersionDiff diff, AskedComparison asked, VersionComparison shown, String before, String after) {
    private static final int COPIES = 4; // a diff, its lines, and the attributes of their characters

    /// Prepares changes. Their memory is reserved.
    ///
    /// @param isPublished whether the newer version has a page
    public static ShownChanges of(
            PageCall page,
            BundleReader bundles,
            Repository repository,
            VersionDiff diff,
            AskedComparison asked,
            boolean isPublished) {
        long size = diff.changes().stream()
                .mapToLong(change ->
                        200 + (change.diff() == null ? 0 : change.diff().length()))
                .sum();
        page.call().borrow("the comparison", size, COPIES);
        var texts = ComparedTexts.read(page, bundles, repository, diff, asked);
        var shown =
                page.call().computed(size + texts.bytes(), budget -> VersionComparison.of(diff, asked, texts, budget));
        var from = diff.from();
        return new ShownChanges(
                diff, asked, shown, from == null ? "" : page(diff, from), isPublished ? page(diff, diff.to()) : "");
    }

    private static String page(VersionDiff diff, VersionDiff.Side side) {
        return ApiPath.of("/{}/{}/versions/{}", diff.namespace(), diff.slug(), side.version())
                .toString();
    }

    /// Returns the number of the version before; empty if there is none.
    public String old() {
        var from = diff.from();
        return from == null ? "" : from.version();
    }

    /// Returns what happened to a requirement.
    public static String label(RequirementChange change) {
        return switch (change.change()) {
            case "added" -> "Added";
            case "removed" -> "Removed";
            default -> "Changed";
        };
    }

    /// Returns the ranges of a requirement, before and after.
    public static String ranges(RequirementChange change) {
        var before = change.before();
        var after = change.after();
        return (before == null ? "" : range(before))
                + (before == null || after == null ? "" : " \u2192 ")
                + (after == null ? "" : range(after));
    }

    /// Returns a range as a page shows it.
    public static String range(RequiredBundle required) {
        return PageFormat.visible(required.range()) + (Boolean.TRUE.equals(required.optional()) ? " (optional)" : "");
    }

    public String now() {
        return diff.to().version();
    }

    /// Returns the page of a file; empty if it has none. A file that is gone is in the version before.
    public String file(VersionComparison.Entry entry) {
        boolean isGone = entry.change().change().equals("removed");
        return file(isGone ? before : after, entry.change().logicalPath());
    }

    private static String file(String version, String path) {
        return version.isEmpty() ? "" : version + "/files/" + ApiPath.encodeFile(path);
    }

    /// Returns the link to something that the version adds.
    public String added(AddedFindings found) {
        return after.isEmpty() ? asked.alone(found.path()) : file(after, found.path()) + "?line=" + found.line();
    }

    /// Returns whether a file is an image that the page can show, before and after.
    public boolean isImage(VersionComparison.Entry entry) {
        return !after.isEmpty() && entry.isImage();
    }
}
