package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionApproval;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.registry.content.BlobContent;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A version that a page shows.
///
/// @param found its rows
public record OpenedVersion(VisibleBundle seen, Resolve.Answer found, BundleRecord bundle, VersionDetail version) {
    /// Returns the version of a path with `{namespace}`, `{bundle}` and `{version}`.
    ///
    /// @throws dev.sheaf.model.ProblemException not found
    static OpenedVersion of(PageCall page, BundleReader bundles) {
        return of(page, bundles, VisibleBundle.of(page, bundles), page.parameter("version"));
    }

    /// Returns a version of a bundle.
    ///
    /// @throws dev.sheaf.model.ProblemException not found
    public static OpenedVersion of(PageCall page, BundleReader bundles, VisibleBundle seen, String version) {
        var found = bundles.resolve(seen.snapshot(), version);
        return new OpenedVersion(seen, found, bundles.record(seen.snapshot()), bundles.detail(page, found));
    }

    /// Opens the content of a file.
    BlobContent content(BundleReader bundles, Layer file) {
        var asset = found.resolved().assets().stream()
                .filter(stored -> stored.path().value().equals(file.logicalPath()))
                .findFirst()
                .orElseThrow();
        return bundles.open(seen.snapshot().repository(), asset.digest(), asset.size());
    }

    List<Layer> files() {
        return version.manifest().assets();
    }

    /// @throws dev.sheaf.model.ProblemException not found
    Layer file(String path) {
        return files().stream()
                .filter(layer -> layer.logicalPath().equals(path))
                .findFirst()
                .orElseThrow(
                        () -> new Problem.AssetNotFound(path, "version " + version.version() + " of " + bundle.ref())
                                .raise());
    }

    /// Returns who published, approved and yanked it.
    Stream<@Nullable String> actors() {
        return Stream.concat(
                Stream.of(PageFormat.text(version.publishedBy()), PageFormat.text(version.yankedBy())),
                approvals().stream().map(VersionApproval::by));
    }

    /// Returns who approved it, in that order.
    public List<VersionApproval> approvals() {
        var approvals = version.approvedBy();
        return approvals == null ? List.of() : approvals;
    }

    /// Returns the path of the version.
    public String place() {
        return place(version.version());
    }

    /// Returns the path with the version's digest, which always means the same version.
    public String pinned() {
        String digest = version.ociDigest();
        return place(digest == null ? version.version() : digest);
    }

    private String place(String selector) {
        return ApiPath.of("/{}/{}/versions/{}", bundle.namespace(), bundle.slug(), selector)
                .toString();
    }

    public String file(String place, String path) {
        return place + "/files/" + ApiPath.encodeFile(path);
    }

    public String raw(String path) {
        return place() + "/raw/" + ApiPath.encodeFile(path);
    }

    /// Returns the API's path of the version, or a path below it.
    ApiPath api(String rest) {
        return ApiPath.of(
                "/v1/namespaces/{}/bundles/{}/versions/{}" + rest,
                bundle.namespace(),
                bundle.slug(),
                version.version());
    }

    /// Returns the API's path of a file.
    ApiPath asset(String path) {
        return ApiPath.of(
                        "/v1/namespaces/{}/bundles/{}/assets/" + ApiPath.encodeFile(path),
                        bundle.namespace(),
                        bundle.slug())
                .with("version", version.version());
    }
}
