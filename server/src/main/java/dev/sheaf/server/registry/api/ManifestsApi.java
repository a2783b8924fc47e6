package dev.sheaf.server.registry.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Tag;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.review.ClosedContent;
import dev.sheaf.server.bundle.version.VersionWarnings;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.gc.PushLeases;
import java.util.List;
import java.util.Optional;

/// Serves manifests by tag or digest (distribution-spec, "Pulling manifests").
public final class ManifestsApi {
    private final RepositoryAccess access;
    private final Manifests manifests;
    private final PushLeases leases;
    private final VersionWarnings advisories;
    private final PullCounts downloads;
    private final ClosedContent closed;

    public ManifestsApi(
            RepositoryAccess access,
            Manifests manifests,
            PushLeases leases,
            VersionWarnings advisories,
            PullCounts downloads,
            ClosedContent closed) {
        this.access = access;
        this.manifests = manifests;
        this.leases = leases;
        this.advisories = advisories;
        this.downloads = downloads;
        this.closed = closed;
    }

    public List<Route> routes() {
        return List.of(DistributionApi.route(
                GET, DistributionApi.REPOSITORY + "/manifests/{reference}", RoutePermission.PUBLIC_READ, this::get));
    }

    /// Serves the manifest as it was pushed, whatever Accept says: a client that cannot read the type will
    /// notice.
    private Answer get(Call call) {
        String reference = call.parameter("reference");
        var repository = access.readable(call, (its, pinned) -> reference.equals(pinned.toString()));
        var digest = digest(reference);
        var manifest = digest.map(wanted -> manifests.find(repository, wanted))
                .orElseGet(() -> Tag.isTagShaped(reference) ? tagged(call, repository, reference) : Optional.empty())
                .orElseThrow(() -> manifests
                        .missing(repository, reference, digest.orElse(null))
                        .raise());
        boolean isClosed = closed.check(call.caller(), repository, manifest, reference);
        if (access.isAskedByPusher(call, repository) && !leases.renew(repository, manifest)) {
            throw new Problem.ManifestUnknown(repository.name(), reference).raise();
        }
        var caching = isClosed ? CachePolicy.CLOSED : digest.isPresent() ? CachePolicy.FIXED : CachePolicy.MOVING;
        var answer = ConditionalRead.isUnmodified(call, manifest.digest())
                ? Answer.empty(304)
                : content(call, manifest)
                        .orElseThrow(() -> new Problem.ManifestUnknown(repository.name(), reference).raise())
                        .sending(() -> downloads.pulled(
                                call.caller(),
                                call.address(),
                                ClientKind.ofRegistry(call.header("User-Agent").orElse("")),
                                repository,
                                manifest.id()));
        return caching.on(
                        WarningHeaders.on(answer, advisories.of(repository, manifest, reference)),
                        call.caller(),
                        repository.visibility())
                .with("Docker-Content-Digest", manifest.digest().toString())
                .with("ETag", ConditionalRead.etag(manifest.digest()));
    }

    private Optional<ManifestRecord> tagged(Call call, Repository repository, String tag) {
        return manifests.find(repository, tag).or(() -> closed.held(call.caller(), repository, tag));
    }

    private Optional<Answer> content(Call call, ManifestRecord manifest) {
        call.pay();
        return manifests.content(manifest).map(content -> Answer.bytes(200, manifest.mediaType(), content));
    }

    /// Returns the digest in a reference; empty for a tag. A reference with a colon is not a tag.
    static Optional<Digest> digest(String reference) {
        return reference.indexOf(':') < 0 ? Optional.empty() : Optional.of(BlobsApi.digest(reference));
    }
}
