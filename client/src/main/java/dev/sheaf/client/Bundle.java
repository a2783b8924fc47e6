package dev.sheaf.client;

import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.wire.admin.PurgeReport;
import dev.sheaf.model.wire.bundle.BundlePatch;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.DeprecationRequest;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.PublishRequest;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.bundle.YankRequest;
import dev.sheaf.model.wire.hub.StarStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One bundle of a registry: what it is, its versions, and what its publisher says of them. Nothing is asked before
/// a method is called. Thread-safe.
///
/// Reading needs a key only where the bundle is private; changes need one with the scope `write`. A bundle that
/// this credential may not see is [SheafException.NotFound][dev.sheaf.client.api.SheafException.NotFound], as
/// one that does not exist.
public final class Bundle {
    private final RepositoryName name;
    private final Resource bundle;

    Bundle(Transport transport, RepositoryName name) {
        this.name = name;
        this.bundle = new Resource(transport, Transport.path(name));
    }

    /// Namespace and name of the bundle.
    public RepositoryName name() {
        return name;
    }

    /// What the registry says of the bundle.
    public BundleRecord info() {
        return bundle.get("", BundleRecord.class);
    }

    /// Changes what is said about the bundle; needs the scope `write`. What is null stays as it is.
    public BundleRecord describe(BundlePatch patch) {
        return bundle.patch("", patch, BundleRecord.class);
    }

    /// The versions, the highest first.
    ///
    /// @param most how many at most, from 1 on
    public List<VersionSummary> versions(int most) {
        return bundle.list("/versions", VersionSummary.class, most);
    }

    /// Publishes the bundle as it is being edited at the registry; needs the scope `write`. The same version
    /// with the same content again is a success.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict where the version exists with other content,
    ///     or `expectedLatest` is not the latest
    public VersionDetail publish(PublishRequest request) {
        var call =
                bundle.call("POST", ":publish").sendingJson(request.forReal()).expecting(200, 201);
        return bundle.transport().json(request.expectedLatest() == null ? call : call.keyed(), VersionDetail.class);
    }

    /// What that would come to. Changes nothing.
    public PublishReport checkPublish(PublishRequest request) {
        return bundle.post(":publish", request.onlyToCheck(), PublishReport.class);
    }

    /// A version that is there.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound where it is not, or not any more
    public VersionDetail version(Version version) {
        return bundle.get(at(version, ""), VersionDetail.class);
    }

    /// The tags of the bundle.
    public Tags tags() {
        return new Tags(new Resource(bundle.transport(), bundle.path() + "/tags"));
    }

    /// What changed between two versions.
    ///
    /// @param from an exact version, a tag or a range
    /// @param to the same
    public VersionDiff diff(String from, String to) {
        String query = "/versions/" + Call.encode(from) + ":diff?to=" + Call.encode(to);
        return bundle.get(query, VersionDiff.class);
    }

    /// Takes a version back: its digest and exact version still find it, tags and ranges do not. A success also
    /// where it was yanked before, whose reason then stays.
    ///
    /// @param reason a sentence for people, at most 1,000 characters
    /// @param replacement what to use instead, at most 400 characters
    public VersionDetail yank(
            Version version, @Nullable String reason, @Nullable YankReason code, @Nullable String replacement) {
        var request = new YankRequest(reason, code == null ? null : code.toString(), replacement);
        return bundle.post(at(version, ":yank"), request, VersionDetail.class);
    }

    /// Takes a yank back. Tags that left the version stay where they are.
    public VersionDetail unyank(Version version) {
        return bundle.post(at(version, ":unyank"), VersionDetail.class);
    }

    /// Advises against a version, which is still found by everything. A second message replaces the first.
    ///
    /// @param message for people, 1 to 1,000 characters
    /// @param replacement what to use instead, at most 400 characters
    public VersionDetail deprecate(Version version, @Nullable String message, @Nullable String replacement) {
        var request = new DeprecationRequest(message, replacement);
        return bundle.post(at(version, ":deprecate"), request, VersionDetail.class);
    }

    /// Takes back what was advised against a version; a success also where nothing was.
    public VersionDetail undeprecate(Version version) {
        return bundle.post(at(version, ":undeprecate"), VersionDetail.class);
    }

    /// Advises against the whole bundle: every version that is not deprecated by itself is resolved with this
    /// message.
    public BundleRecord deprecate(@Nullable String message, @Nullable String replacement) {
        var request = new DeprecationRequest(message, replacement);
        return bundle.post(":deprecate", request, BundleRecord.class);
    }

    /// Takes back what was advised against the whole bundle; that of single versions stays.
    public BundleRecord undeprecate() {
        return bundle.post(":undeprecate", BundleRecord.class);
    }

    /// Changes what is said about the bundle; needs the scope `write`.
    ///
    /// @param changes by the names of the API: `name`, `description`, `visibility`, `license`, `keywords`,
    ///     `repositoryUrl`, `homepageUrl`, `readmeContent`, `readmeFormat`; a null takes away what is there
    public BundleRecord edit(Map<String, ?> changes) {
        return bundle.patch("", changes, BundleRecord.class);
    }

    /// Hides the bundle from everybody, and removes it after 30 days. Where others have downloaded a version,
    /// it takes the scope admin and a reason.
    public void delete(@Nullable String reason) {
        bundle.transport()
                .head(bundle.call("DELETE", "").sendingJson(new Why(reason)).expecting(204));
    }

    /// Brings a deleted bundle back, for 30 days; needs the scope `admin`.
    public BundleRecord restore() {
        return bundle.post(":restore", BundleRecord.class);
    }

    /// Deletes a version for good. Its number is never used again.
    ///
    /// @param reason needed, like the scope `admin`, 72 hours after it was published, or once others have it
    public void delete(Version version, @Nullable String reason) {
        bundle.transport()
                .head(bundle.call("DELETE", at(version, ""))
                        .sendingJson(new Why(reason))
                        .expecting(204));
    }

    /// The same for what should never have been published: its bytes go at once. Needs the scope `admin`.
    public PurgeReport purge(Version version, String reason) {
        return bundle.transport()
                .json(
                        bundle.call("DELETE", at(version, "?purge=true")).sendingJson(new Why(reason)),
                        PurgeReport.class);
    }

    /// Whether the caller's organization has a star for the bundle, from now on.
    public StarStatus star(boolean starred) {
        var call = Call.of(starred ? "PUT" : "DELETE", bundle.transport().at("/v1/hub/bundles/" + name + "/star"));
        return bundle.transport().json(call, StarStatus.class);
    }

    private record Why(@Nullable String reason) {}

    private static String at(Version version, String verb) {
        return "/versions/" + Call.encode(version.toString()) + verb;
    }
}
