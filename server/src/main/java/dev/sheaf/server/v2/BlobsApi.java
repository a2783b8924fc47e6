package dev.sheaf.server.v2;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.ByteRange;
import dev.sheaf.server.http.message.Caching;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Conditions;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.gc.PushLeases;

/// Blobs, whole or in part (distribution-spec, "Pulling blobs").
final class BlobsApi {
    private final RepositoryAccess doors;
    private final Blobs blobs;
    private final PushLeases leases;
    private final OciDelete deletes;
    private final Redirects redirects;

    BlobsApi(RepositoryAccess doors, V2.Stores stores, OciDelete deletes, Redirects redirects) {
        this.doors = doors;
        this.blobs = stores.blobs();
        this.leases = stores.leases();
        this.deletes = deletes;
        this.redirects = redirects;
    }

    Answer get(Call call) {
        var repository = doors.readable(call);
        var digest = digest(call.parameter("digest"));
        var blob = blobs.find(repository, digest).orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        if (doors.isAskedByPusher(call, repository) && !leases.renew(repository, blob)) {
            throw new Problem.BlobUnknown(digest).raise();
        }
        var answer = Conditions.isUnmodified(call, digest) ? Answer.empty(304) : content(call, blob);
        var elsewhere = redirects.of(call, answer, blob);
        if (elsewhere.isPresent()) {
            return elsewhere.get().with("Docker-Content-Digest", digest.toString());
        }
        return Caching.FIXED
                .on(answer, call.caller(), repository.visibility())
                .with("Docker-Content-Digest", digest.toString())
                .with("ETag", Conditions.etag(digest))
                .with("Accept-Ranges", "bytes");
    }

    private Answer content(Call call, BlobRecord blob) {
        call.pay();
        var content = blobs.open(blob);
        long size = content.length();
        return ByteRange.of(Conditions.range(call, blob.digest()), size)
                .map(range -> Answer.content(
                                206,
                                MediaType.OCTETS,
                                range.count(),
                                out -> content.writeTo(out, range.from(), range.count()))
                        .with("Content-Range", range.header(size)))
                .orElseGet(() -> Answer.content(200, MediaType.OCTETS, size, out -> content.writeTo(out, 0, size)));
    }

    Answer delete(Call call) {
        RepositoryName name = RepositoryAccess.name(call);
        doors.mayDelete(call, name);
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
