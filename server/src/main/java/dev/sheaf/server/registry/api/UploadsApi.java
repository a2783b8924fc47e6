package dev.sheaf.server.registry.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobAccess;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.upload.Uploads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// Uploads blobs (distribution-spec, "Pushing blobs"): at once, in chunks, or by mounting them from another
/// repository.
public final class UploadsApi {
    // A recommendation, not a limit: every chunk costs a sync, so shorter chunks are slower.
    private static final long CHUNK_MIN_LENGTH = 64 << 10;

    private final RepositoryAccess access;
    private final Repositories repositories;
    private final Blobs blobs;
    private final Uploads uploads;

    public UploadsApi(RepositoryAccess access, Repositories repositories, Blobs blobs, Uploads uploads) {
        this.access = access;
        this.repositories = repositories;
        this.blobs = blobs;
        this.uploads = uploads;
    }

    public List<Route> routes() {
        String one = DistributionApi.UPLOADS + "{upload_id}";
        return List.of(
                // a mount is all that one costs; everything else counts as a read besides
                DistributionApi.route(POST, DistributionApi.UPLOADS, RoutePermission.WRITE, this::begin)
                        .costing(RequestCost.GLANCE),
                DistributionApi.route(GET, one, RoutePermission.WRITE, this::status),
                DistributionApi.route(PATCH, one, RoutePermission.WRITE, this::append),
                DistributionApi.route(PUT, one, RoutePermission.WRITE, this::finish),
                DistributionApi.route(DELETE, one, RoutePermission.WRITE, this::cancel));
    }

    private Answer begin(Call call) {
        var digest = call.query("digest").map(BlobsApi::digest);
        var algorithm =
                call.query("digest-algorithm").map(UploadsApi::algorithm).orElse(Digest.Algorithm.SHA256);
        var wanted = call.query("mount").filter(text -> digest.isEmpty()).map(BlobsApi::digest);
        boolean isCounted = wanted.isEmpty() || !access.mayPush(call, RepositoryAccess.name(call));
        if (isCounted) {
            call.count(RequestCost.READ); // before a repository is created
        }
        var repository = access.opened(call);
        if (digest.isPresent()) {
            return reading(() -> {
                uploads.push(repository, ContentRange.chunk(call), digest.get());
                return stored(repository, digest.get());
            });
        }
        var mounted = wanted.flatMap(blob -> mount(call, repository, blob));
        return mounted.orElseGet(() -> {
            if (!isCounted) {
                call.count(RequestCost.READ);
            }
            var begun = uploads.begin(repository, call.caller(), algorithm);
            return standing(Answer.empty(202), path(repository) + "uploads/" + begun.id(), begun.written())
                    .with("OCI-Chunk-Min-Length", Long.toString(CHUNK_MIN_LENGTH));
        });
    }

    private static Digest.Algorithm algorithm(String text) {
        return WireWords.find(Digest.Algorithm.class, text)
                .orElseThrow(() -> new Problem.DigestInvalid("the digest-algorithm must be sha256 or sha512").raise());
    }

    /// Mounts a blob. Empty if it cannot be mounted: the client then uploads it (distribution-spec, "Mounting a
    /// blob from another repository"). Without `from`, any repository that holds the blob and that the caller may
    /// pull from will do.
    private Optional<Answer> mount(Call call, Repository to, Digest digest) {
        try {
            return sources(call, digest)
                    .filter(from -> blobs.find(from, digest)
                                    .filter(blob -> blobs.access(from, blob) == BlobAccess.OPEN)
                                    .isPresent()
                            && uploads.mount(from, to, digest))
                    .findFirst()
                    .map(from -> stored(to, digest));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.ValidationFailed) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Stream<Repository> sources(Call call, Digest digest) {
        return call.query("from")
                .filter(from -> !from.isEmpty())
                .map(from -> access.mountable(call, RepositoryName.parseAny(from)).stream()
                        .filter(source -> Access.mayRead(call.caller(), source)))
                .orElseGet(() -> repositories.holding(call.origin().organizationId(), digest).stream()
                        .filter(source -> Access.mayMount(call.caller(), source)));
    }

    private Answer status(Call call) {
        var progress = uploads.status(target(call));
        return standing(Answer.empty(204), call.rawPath(), progress.written());
    }

    private Answer append(Call call) {
        var target = target(call);
        return reading(() -> {
            var progress = uploads.append(target, ContentRange.chunk(call));
            return standing(Answer.empty(202), call.rawPath(), progress.written());
        });
    }

    private Answer finish(Call call) {
        var repository = access.writable(call);
        var target = target(call, repository);
        var digest = BlobsApi.digest(call.query("digest").orElse(""));
        return reading(() -> {
            uploads.finish(target, ContentRange.chunk(call), digest);
            return stored(repository, digest);
        });
    }

    private Answer cancel(Call call) {
        uploads.cancel(target(call));
        return Answer.empty(204);
    }

    private Uploads.Target target(Call call) {
        return target(call, access.writable(call));
    }

    private static Uploads.Target target(Call call, Repository repository) {
        String text = call.parameter("upload_id");
        try {
            return new Uploads.Target(repository, UUID.fromString(text), call.caller());
        } catch (IllegalArgumentException e) {
            throw new Problem.UploadUnknown(text).raise();
        }
    }

    private interface Reading {
        Answer run() throws IOException;
    }

    private static Answer reading(Reading reading) {
        try {
            return reading.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(Repository repository) {
        return "/v2/" + repository.name() + "/blobs/";
    }

    private static Answer stored(Repository repository, Digest digest) {
        return Answer.empty(201)
                .with("Location", path(repository) + digest)
                .with("Docker-Content-Digest", digest.toString());
    }

    /// Returns an answer with the location and progress of an upload.
    static Answer standing(Answer answer, String location, long written) {
        return answer.with("Location", location)
                .with("Range", "0-" + Math.max(0, written - 1))
                .with("Docker-Upload-UUID", location.substring(location.lastIndexOf('/') + 1));
    }
}
