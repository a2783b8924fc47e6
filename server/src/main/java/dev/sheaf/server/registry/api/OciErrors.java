package dev.sheaf.server.registry.api;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Renders problems as OCI errors (distribution-spec, "Error Codes").
final class OciErrors {
    private static final Pattern REPOSITORY_PATH = Pattern.compile("/v2/(.+?)/(?:blobs|manifests|tags|referrers)/.*");

    /// From distribution-spec, "Pulling manifests".
    private static final Pattern OCI_NAME =
            Pattern.compile("[a-z0-9]++(?:(?:\\.|_|__|-+)[a-z0-9]+)*+(?:/[a-z0-9]++(?:(?:\\.|_|__|-+)[a-z0-9]+)*+)*+");

    /// Uploads expire; if many are open, some expire every minute.
    private static final String RETRY_SECONDS = "60";

    private static final String HOW = "; log in, with an API key as the password and any user name";

    private OciErrors() {}

    /// A status and a code of the specification.
    private record Look(int status, String code) {}

    static Answer render(Problem problem, Call call) {
        Problem told = switch (problem) {
            case Problem.NotFound p -> unrouted(p, call.rawPath());
            case Problem.Unauthenticated p ->
                new Problem.Unauthenticated(p.fault(), p.detail().replace(Authenticator.HOW, HOW));
            case Problem.RateLimited p
            when call.isAskedFirst(p) -> new Problem.Unauthenticated(CredentialFault.MISSING, p.detail() + HOW);
            default -> problem;
        };
        boolean notMade = told instanceof Problem.NotFound
                && DerivedName.ofPath(call.rawPath()).isPresent();
        Look look = notMade
                ? new Look(404, "MANIFEST_UNKNOWN")
                : isAskedByHead(told, call) ? new Look(404, "NAME_UNKNOWN") : look(told);
        var error = told.throttle() instanceof Throttle throttle
                ? Map.of(
                        "code",
                        look.code(),
                        "message",
                        told.detail(),
                        "detail",
                        Map.of("throttle", throttle.toString()))
                : Map.of("code", look.code(), "message", told.detail());
        var answer = DistributionApi.versioned(Answer.json(look.status(), Map.of("errors", List.of(error))))
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Authorization");
        return switch (told) {
            case Problem.Unauthenticated p -> answer.with("WWW-Authenticate", challenge(p, call));
            // the scope has everything that the request needs, because the next token replaces this one
            case Problem.GrantMissing p ->
                answer.with("WWW-Authenticate", TokenChallenge.of(call) + ",error=\"insufficient_scope\"");
            case Problem.UploadRangeInvalid p -> UploadsApi.standing(answer, call.rawPath(), p.committed());
            case Problem.RangeNotSatisfiable p -> answer.with("Content-Range", "bytes */" + p.size());
            case Problem.MethodNotAllowed p -> answer.with("Allow", String.join(", ", p.allowed()));
            case Problem.RateLimited p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            // docker, podman and skopeo read only bodies of statuses below 500; for others they show the status
            // line
            case Problem.TooManyUploads p -> answer.saying(p.detail()).with("Retry-After", RETRY_SECONDS);
            case Problem.QuotaExceeded p -> answer.saying(p.detail());
            case Problem.StorageFull p -> answer.saying(p.detail());
            case Problem.Unavailable p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            default -> answer;
        };
    }

    /// A path without a route usually has too few or too many segments before `blobs` or `manifests`; the error
    /// says so.
    private static Problem unrouted(Problem problem, String path) {
        var matcher = REPOSITORY_PATH.matcher(path);
        return matcher.matches()
                        && !isName(matcher.group(1))
                        && DerivedName.ofPath(path).isEmpty()
                ? new Problem.RepositoryNameInvalid(matcher.group(1))
                : problem;
    }

    /// Returns whether a client looks by HEAD for a part of a repository whose name is valid elsewhere. It sees no
    /// body. After 403, oras and crane stop and say only this number; after 404, their push goes on and gets the
    /// reason.
    private static boolean isAskedByHead(Problem problem, Call call) {
        return call.isHead()
                && problem instanceof Problem.RepositoryNameInvalid invalid
                && OCI_NAME.matcher(invalid.name()).matches();
    }

    private static boolean isName(String text) {
        try {
            RepositoryName.parseAny(text);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    private static String challenge(Problem.Unauthenticated problem, Call call) {
        boolean sent = !call.headers("Authorization").isEmpty();
        String error = problem.fault() == CredentialFault.MISSING ? "insufficient_scope" : "invalid_token";
        return TokenChallenge.of(call) + (sent ? ",error=\"" + error + "\"" : "");
    }

    private static Look look(Problem problem) {
        return switch (problem) {
            case Problem.Credential p -> credential(p);
            case Problem.Missing p -> missing(p);
            case Problem.Clash p -> clash(p);
            case Problem.Input p -> input(p);
            case Problem.Service p -> service(p);
            case Problem.Registry p -> registry(p);
        };
    }

    private static Look credential(Problem.Credential problem) {
        return switch (problem) {
            case Problem.Unauthenticated p -> new Look(401, "UNAUTHORIZED");
            case Problem.TotpRequired p -> new Look(401, "UNAUTHORIZED");
            case Problem.GrantMissing p -> new Look(401, "UNAUTHORIZED");
            case Problem.ScopeMissing p -> new Look(403, "DENIED");
            case Problem.NotOwner p -> new Look(403, "DENIED");
            case Problem.NotAdministrator p -> new Look(403, "DENIED");
            case Problem.Forbidden p -> new Look(403, "DENIED");
            case Problem.ReviewNeedsPerson p -> new Look(403, "DENIED");
        };
    }

    private static Look missing(Problem.Missing problem) {
        return switch (problem) {
            case Problem.NotFound p -> new Look(404, "UNSUPPORTED");
            case Problem.BundleNotFound p -> new Look(404, "NAME_UNKNOWN");
            case Problem.VersionNotFound p -> new Look(404, "MANIFEST_UNKNOWN");
            case Problem.TagNotFound p -> new Look(404, "MANIFEST_UNKNOWN");
            case Problem.AssetNotFound p -> new Look(404, "BLOB_UNKNOWN");
            case Problem.VersionDeleted p -> new Look(410, "MANIFEST_UNKNOWN");
            case Problem.VersionRecalled p -> new Look(410, "MANIFEST_UNKNOWN");
            case Problem.CursorExpired p -> new Look(410, "UNSUPPORTED");
            case Problem.NoActiveVersion p -> new Look(404, "MANIFEST_UNKNOWN");
        };
    }

    private static Look clash(Problem.Clash problem) {
        return switch (problem) {
            case Problem.VersionExists p -> new Look(409, "DENIED");
            case Problem.TagMoved p -> new Look(409, "DENIED");
            case Problem.TagProtected p -> new Look(409, "DENIED");
            case Problem.NameTaken p -> new Look(409, "DENIED");
            case Problem.NameReserved p -> new Look(403, "DENIED");
            case Problem.Conflict p -> new Look(409, "DENIED");
            case Problem.VersionHeld p -> new Look(409, "DENIED");
            case Problem.NeedsReview p -> new Look(409, "DENIED");
            case Problem.TooManyHeld p -> new Look(409, "DENIED");
            case Problem.Unsatisfiable p -> new Look(409, "DENIED");
            case Problem.OwnerChanged p -> new Look(409, "DENIED");
            case Problem.RequiredBy p -> new Look(409, "DENIED");
            case Problem.LeaseLost p -> new Look(409, "DENIED");
            case Problem.VisibilityMismatch p -> new Look(403, "DENIED");
            case Problem.BinaryAssets p -> new Look(409, "UNSUPPORTED");
            case Problem.IdempotencyInProgress p -> new Look(409, "DENIED");
            case Problem.IdempotencyMismatch p -> new Look(422, "DENIED");
            case Problem.PreconditionFailed p -> new Look(412, "DENIED");
        };
    }

    private static Look input(Problem.Input problem) {
        return switch (problem) {
            case Problem.ValidationFailed p -> new Look(400, "MANIFEST_INVALID");
            case Problem.ReviewImpossible p -> new Look(422, "UNSUPPORTED");
            case Problem.ScanBlocked p -> new Look(422, "DENIED");
            case Problem.ClosureTooLarge p -> new Look(422, "UNSUPPORTED");
            case Problem.RequirementNotReadable p -> new Look(422, "MANIFEST_INVALID");
            case Problem.BadRequest p -> new Look(400, "UNSUPPORTED");
            case Problem.HeadUnfit p -> new Look(ProblemJson.status(p), "UNSUPPORTED");
            case Problem.TokenRefused p -> new Look(400, "UNSUPPORTED");
            case Problem.InvalidCursor p -> new Look(400, "UNSUPPORTED");
            case Problem.PayloadTooLarge p -> new Look(413, "SIZE_INVALID");
            case Problem.LargerThanQuota p -> new Look(507, "DENIED");
            case Problem.UnsupportedMediaType p -> new Look(415, "MANIFEST_INVALID");
            case Problem.NotAcceptable p -> new Look(406, "UNSUPPORTED");
            case Problem.Misdirected p -> new Look(421, "UNSUPPORTED");
            case Problem.MethodNotAllowed p -> new Look(405, "UNSUPPORTED");
        };
    }

    private static Look service(Problem.Service problem) {
        return switch (problem) {
            case Problem.RateLimited p -> new Look(429, "TOOMANYREQUESTS");
            case Problem.TooManyUploads p -> new Look(429, "TOOMANYREQUESTS");
            case Problem.StorageFull p -> new Look(507, "DENIED");
            case Problem.QuotaExceeded p -> new Look(507, "DENIED");
            case Problem.TooManyJobs p -> new Look(507, "DENIED");
            case Problem.Unavailable p -> new Look(503, "UNAVAILABLE");
            case Problem.Internal p -> new Look(500, "UNKNOWN");
        };
    }

    private static Look registry(Problem.Registry problem) {
        return switch (problem) {
            // docker retries DENIED for a minute; docker itself refuses names that are valid nowhere
            case Problem.RepositoryNameInvalid p ->
                OCI_NAME.matcher(p.name()).matches() ? new Look(403, "DENIED") : new Look(400, "NAME_INVALID");
            case Problem.DigestInvalid p -> new Look(400, "DIGEST_INVALID");
            case Problem.DigestMismatch p -> new Look(400, "DIGEST_INVALID");
            case Problem.BlobUnknown p -> new Look(404, "BLOB_UNKNOWN");
            case Problem.UploadUnknown p -> new Look(404, "BLOB_UPLOAD_UNKNOWN");
            case Problem.UploadRangeInvalid p -> new Look(416, "BLOB_UPLOAD_INVALID");
            case Problem.UploadInvalid p -> new Look(400, "BLOB_UPLOAD_INVALID");
            case Problem.RangeNotSatisfiable p -> new Look(416, "UNSUPPORTED");
            case Problem.ManifestInvalid p -> new Look(400, "MANIFEST_INVALID");
            case Problem.ManifestUnknown p -> new Look(404, "MANIFEST_UNKNOWN");
            case Problem.ManifestBlobUnknown p -> new Look(404, "MANIFEST_BLOB_UNKNOWN");
        };
    }
}
