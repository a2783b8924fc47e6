package dev.sheaf.server.console.files;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import java.util.List;

/// A version that is looked at.
///
/// @param canWrite whether the viewer may change the bundle
public record Opened(BundleRecord bundle, VersionDetail version, boolean canWrite) {
    /// Of a path with `{namespace}`, `{bundle}` and `{version}`.
    ///
    /// @throws dev.sheaf.model.ProblemException not found
    static Opened of(PageCall page) {
        var bundle = bundle(page);
        var version = page.api()
                .get(
                        VersionDetail.class,
                        ApiPath.of(
                                "/v1/namespaces/{}/bundles/{}/versions/{}",
                                bundle.namespace(),
                                bundle.slug(),
                                page.parameter("version")));
        return new Opened(bundle, version, canWrite(page, bundle));
    }

    public static BundleRecord bundle(PageCall page) {
        return page.api()
                .get(
                        BundleRecord.class,
                        ApiPath.of(
                                "/v1/namespaces/{}/bundles/{}",
                                page.parameter("namespace"),
                                page.parameter("bundle")));
    }

    /// Whether the tabs of a bundle lead to its settings.
    public static boolean canWrite(PageCall page, BundleRecord bundle) {
        return page.viewer().in(bundle.namespace()).filter(own -> !own.role().equals("reader")).isPresent();
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

    /// Where the version is.
    public String place() {
        return place(version.version());
    }

    /// The same by its digest, which never means anything else.
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

    /// What the API calls a file.
    ApiPath asset(String path) {
        return ApiPath.of(
                        "/v1/namespaces/{}/bundles/{}/assets/" + ApiPath.encodeFile(path),
                        bundle.namespace(),
                        bundle.slug())
                .with("version", version.version());
    }
}
