package dev.sheaf.server.registry.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.bundle.review.ClosedContent;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.gc.PushLeases;
import java.util.List;

/// Serves blobs, whole or in part (distribution-spec, "Pulling blobs").
public final class BlobsApi {
    private final RepositoryAccess access;
    private final Blobs blobs;
    private final Manifests manifests;
    private final PushLeases leases;
    private final OciDelete deletes;
    private final BucketRedirects redirects;
    private final ClosedContent closed;

    public BlobsApi(
            RepositoryAccess access,
            Blobs blobs,
            Manifests manifests,
            PushLeases leases,
            OciDelete deletes,
            BucketRedirects redirects,
            ClosedContent closed) {
        this.manifests = manifests;
        this.access = access;
        this.blobs = blobs;
        this.leases = leases;
        this.deletes = deletes;
        this.redirects = redirects;
        this.closed = closed;
    }

    public List<Route> routes() {
        return List.of(
                DistributionApi.route(
                        GET, DistributionApi.REPOSITORY + "/blobs/{digest}", RoutePermission.PUBLIC_READ, this::get),
                DistributionApi.route(
                        DELETE, DistributionApi.REPOSITORY + "/blobs/{digest}", RoutePermission.WRITE, this::delete));
    }

    private Answer get(Call call) {
        String named = call.parameter("digest");
        var repository = access.readable(call, (its, pinned) -> manifests.hasBlob(its, pinned, digest(named)));
        var digest = digest(named);
        var blob = blobs.find(repository, digest).orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        if (access.isAskedByPusher(call, repository) && !closed.mayRead(call.caller(), repository, blob)) {
            throw new Problem.BlobUnknown(digest).raise(); // so that a client that pushes the mended version sends it
        }
        boolean isClosed = closed.check(call.caller(), repository, blob);
        if (access.isAskedByPusher(call, repository) && !leases.renew(repository, blob)) {
            throw new Problem.BlobUnknown(digest).raise();
        }
        var answer = ConditionalRead.isUnmodified(call, digest) ? Answer.empty(304) : content(call, blob);
        var elsewhere = redirects.of(call, answer, blob);
        if (elsewhere.isPresent()) {
            return elsewhere.get().with("Docker-Content-Digest", digest.toString());
        }
        return (isClosed ? CachePolicy.CLOSED : CachePolicy.FIXED)
                .on(answer, call.caller(), repository.visibility())
                .with("Docker-Content-Digest", digest.toString())
                .with("ETag", ConditionalRead.etag(digest))
                .with("Accept-Ranges", "bytes");
    }

    private Answer content(Call call, BlobRecord blob) {
        call.pay();
        var content = blobs.open(blob);
        long size = content.length();
        return ConditionalRead.range(call, blob.digest(), size)
                .map(range -> Answer.content(
                                206,
                                MediaType.OCTETS,
                                range.count(),
                                out -> content.writeTo(out, range.from(), range.count()))
                        .with("Content-Range", range.header(size)))
                .orElseGet(() -> Answer.content(200, MediaType.OCTETS, size, out -> content.writeTo(out, 0, size)));
    }

    private Answer delete(Call call) {
        RepositoryName name = RepositoryAccess.name(call);
        access.mayDelete(call, name);
        deletes.blob(call.origin(), name, digest(call.parameter("digest")));
        return Answer.empty(202);
    }

    /// @throws ProblemException digest-invalid
    static Digest digest(String text) {
        try {
            return Digest.parse(text);
        } catch (ProblemException e) {
            throw new Problem.DigestInvalid(e.problem().detail()).raise();
        }
    }
}
