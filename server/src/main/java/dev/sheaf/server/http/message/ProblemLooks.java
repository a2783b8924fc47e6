package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.http.message.ProblemJson.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Status, slug, title and members of every kind of problem. The `switch` has no default, so a new kind does not
/// compile until it is added here.
final class ProblemLooks {
    private ProblemLooks() {}

    static Look of(Problem problem) {
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
            case Problem.Unauthenticated p -> look(401, "unauthenticated", "Unauthorized");
            case Problem.TotpRequired p -> look(401, "totp-required", "Code required", "totpRequired", true);
            case Problem.ScopeMissing p ->
                look(403, "scope-missing", "Forbidden", "scope", p.needed().toString());
            case Problem.GrantMissing p ->
                look(403, "grant-missing", "Forbidden", "name", p.name(), "actions", p.actions());
            case Problem.NotOwner p -> look(403, "not-owner", "Not the owner", "name", p.name());
            case Problem.NotAdministrator p -> look(403, "not-administrator", "Not an administrator");
            case Problem.Forbidden p -> look(403, "forbidden", "Forbidden");
            case Problem.ReviewNeedsPerson p -> look(403, "review-needs-person", "Review needs a person");
        };
    }

    private static Look missing(Problem.Missing problem) {
        return switch (problem) {
            case Problem.NotFound p -> look(404, "not-found", "Not found", "what", p.what());
            case Problem.BundleNotFound p -> look(404, "bundle-not-found", "Bundle not found", "name", p.name());
            case Problem.VersionNotFound p -> versionNotFound(p);
            case Problem.TagNotFound p -> look(404, "tag-not-found", "Tag not found", "name", p.name(), "tag", p.tag());
            case Problem.AssetNotFound p ->
                look(404, "asset-not-found", "Asset not found", "asset", p.asset(), "where", p.where());
            case Problem.VersionDeleted p ->
                look(
                        410,
                        "version-deleted",
                        "Version deleted",
                        "name",
                        p.name(),
                        "requested",
                        p.requested(),
                        "deletedAt",
                        p.deletedAt());
            case Problem.VersionRecalled p -> recalled(p);
            case Problem.CursorExpired p -> look(410, "cursor-expired", "Cursor expired", "oldest", p.oldest());
            case Problem.NoActiveVersion p -> look(404, "no-active-version", "No active version", "name", p.name());
        };
    }

    private static Look recalled(Problem.VersionRecalled p) {
        var members = new ArrayList<Object>(
                List.of("name", p.name(), "requested", p.requested(), "severity", p.severity(), "reason", p.reason()));
        if (p.advisory() != null) {
            members.addAll(List.of("advisory", p.advisory()));
        }
        if (p.replacement() != null) {
            members.addAll(List.of("replacement", p.replacement()));
        }
        return look(410, "version-recalled", "Version recalled", members.toArray());
    }

    private static Look versionNotFound(Problem.VersionNotFound p) {
        var pairs = new ArrayList<Object>(
                List.of("name", p.name(), "requested", p.requested(), "candidates", p.candidates()));
        if (!p.besides().isEmpty()) {
            pairs.addAll(List.of("besides", p.besides().strip()));
        }
        return look(404, "version-not-found", "Version not found", pairs.toArray());
    }

    private static Look clash(Problem.Clash problem) {
        return switch (problem) {
            case Problem.VersionExists p ->
                look(
                        409,
                        "version-exists",
                        "Version exists",
                        "name",
                        p.name(),
                        "version",
                        p.version(),
                        "existing",
                        p.existing(),
                        "offered",
                        p.offered(),
                        "differs",
                        p.differs());
            case Problem.TagMoved p -> moved("Tag moved", p.name(), p.tag().toString(), p.expected(), p.actual());
            case Problem.TagProtected p ->
                look(409, "tag-protected", "Tag protected", "name", p.name(), "tag", p.tag());
            case Problem.NameTaken p -> look(409, "name-taken", "Name taken", "name", p.name());
            case Problem.NameReserved p -> look(422, "name-reserved", "Name reserved", "name", p.name());
            case Problem.Conflict p -> look(409, "conflict", "Conflict");
            case Problem.VersionHeld p ->
                look(
                        409,
                        "held",
                        "Version held for review",
                        "name",
                        p.name(),
                        "version",
                        p.version(),
                        "held",
                        p.held(),
                        "offered",
                        p.offered());
            case Problem.NeedsReview p ->
                look(
                        409,
                        "needs-review",
                        "Needs review",
                        "name",
                        p.name(),
                        "versions",
                        p.versions().stream().map(Version::toString).toList(),
                        "count",
                        p.count());
            case Problem.TooManyHeld p -> look(409, "too-many-held", "Too many held versions", "limit", p.limit());
            case Problem.Unsatisfiable p ->
                look(409, "unsatisfiable", "Unsatisfiable", "name", p.name(), "demands", demands(p.demands()));
            case Problem.OwnerChanged p ->
                look(409, "owner-changed", "Owner changed", "name", p.name(), "demands", demands(p.demands()));
            case Problem.RequiredBy p ->
                look(409, "required-by", "Required by others", "what", p.what(), "dependents", p.dependents());
            case Problem.LeaseLost p -> look(409, "lease-lost", "Lease lost", "job", p.job());
            case Problem.VisibilityMismatch p -> look(403, "visibility-mismatch", "Other visibility", "name", p.name());
            case Problem.BinaryAssets p ->
                look(409, "binary-assets", "Binary assets", "assets", p.assets(), "assetCount", p.count());
            case Problem.IdempotencyInProgress p ->
                look(409, "idempotency-in-progress", "Still in progress", "key", p.key());
            case Problem.IdempotencyMismatch p ->
                look(422, "idempotency-mismatch", "Idempotency key used for another request", "key", p.key());
            case Problem.PreconditionFailed p ->
                look(412, "precondition-failed", "Precondition failed", "etag", p.etag());
        };
    }

    /// A requirement in the answer, with its members in this order.
    private record Demand(String by, String bundle, String range) {}

    private static List<Demand> demands(List<Problem.Demand> demands) {
        return demands.stream()
                .map(demand -> new Demand(demand.by(), demand.bundle().toString(), demand.range()))
                .toList();
    }

    private static Look moved(String title, RepositoryName name, String tag, Version expected, String actual) {
        return look(409, "tag-moved", title, "name", name, "tag", tag, "expected", expected, "actual", actual);
    }

    private static Look input(Problem.Input problem) {
        return switch (problem) {
            case Problem.ValidationFailed p ->
                look(
                        422,
                        "validation-failed",
                        "Validation failed",
                        "errors",
                        List.of(),
                        "errorCount",
                        p.errors().size());
            case Problem.ReviewImpossible p ->
                look(422, "review-impossible", "Review impossible", "approvals", p.approvals());
            case Problem.ScanBlocked p ->
                look(
                        422,
                        "scan-blocked",
                        "Blocked by a scan",
                        "name",
                        p.name(),
                        "version",
                        p.version(),
                        "block",
                        p.block(),
                        "findings",
                        List.of(),
                        "findingCount",
                        p.findings().size());
            case Problem.ClosureTooLarge p ->
                look(422, "closure-too-large", "Closure too large", "name", p.name(), "limit", p.limit());
            case Problem.RequirementNotReadable p ->
                look(
                        422,
                        "requirement-not-readable",
                        "Requirement not readable",
                        "name",
                        p.name(),
                        "required",
                        p.required());
            case Problem.BadRequest p -> look(400, "bad-request", "Bad request");
            case Problem.HeadUnfit p -> unfit(p);
            case Problem.TokenRefused p ->
                look(400, "bad-request", "Bad request", "error", p.error().toString());
            case Problem.InvalidCursor p -> look(400, "invalid-cursor", "Invalid cursor");
            case Problem.PayloadTooLarge p -> tooLarge(p.what(), p.limit(), p.unit());
            case Problem.LargerThanQuota p -> larger(p);
            case Problem.UnsupportedMediaType p ->
                look(
                        415,
                        "unsupported-media-type",
                        "Unsupported media type",
                        "given",
                        p.given(),
                        "supported",
                        p.supported());
            case Problem.NotAcceptable p ->
                look(406, "not-acceptable", "Not acceptable", "accept", p.accept(), "offered", p.offered());
            case Problem.Misdirected p -> look(421, "misdirected-request", "Misdirected request", "host", p.host());
            case Problem.MethodNotAllowed p ->
                look(405, "method-not-allowed", "Method not allowed", "method", p.method(), "allowed", p.allowed());
        };
    }

    private static Look tooLarge(String what, long limit, String unit) {
        String title = "Payload too large";
        return look(413, "payload-too-large", title, "what", what, "limit", limit, "unit", unit);
    }

    private static Look unfit(Problem.HeadUnfit p) {
        return switch (p.why()) {
            case URI_TOO_LONG -> look(414, "uri-too-long", "URI too long");
            case FIELDS_TOO_LARGE -> look(431, "headers-too-large", "Headers too large");
            case CODING_UNKNOWN -> look(501, "not-implemented", "Not implemented");
            case VERSION_UNSUPPORTED -> look(505, "http-version-not-supported", "HTTP version not supported");
        };
    }

    private static Look larger(Problem.LargerThanQuota p) {
        return look(
                507,
                "quota-exceeded",
                "Larger than the quota",
                "organization",
                p.organization(),
                "what",
                p.what(),
                "limit",
                p.limit(),
                "requested",
                p.requested());
    }

    private static Look service(Problem.Service problem) {
        return switch (problem) {
            case Problem.RateLimited p ->
                look(
                        429,
                        "rate-limited",
                        "Too many requests",
                        "policy",
                        p.policy(),
                        "retryAfterSeconds",
                        p.retryAfterSeconds());
            case Problem.TooManyUploads p -> look(429, "rate-limited", "Too many uploads", "limit", p.limit());
            case Problem.StorageFull p -> look(507, "storage-full", "Storage full");
            case Problem.TooManyJobs p ->
                look(507, "quota-exceeded", "Too many jobs", "limit", p.limit(), "waiting", p.waiting());
            case Problem.QuotaExceeded p ->
                look(
                        507,
                        "quota-exceeded",
                        "Quota exceeded",
                        "organization",
                        p.organization(),
                        "what",
                        p.what(),
                        "limit",
                        p.limit(),
                        "used",
                        p.used(),
                        "requested",
                        p.requested());
            case Problem.Unavailable p ->
                look(503, "service-unavailable", "Service unavailable", "retryAfterSeconds", p.retryAfterSeconds());
            case Problem.Internal p -> look(500, "internal-error", "Internal error");
        };
    }

    private static Look registry(Problem.Registry problem) {
        return switch (problem) {
            case Problem.RepositoryNameInvalid p ->
                look(422, "validation-failed", "Validation failed", "name", p.name());
            case Problem.DigestInvalid p -> look(422, "validation-failed", "Validation failed");
            case Problem.DigestMismatch p ->
                look(422, "validation-failed", "Validation failed", "expected", p.expected(), "actual", p.actual());
            case Problem.BlobUnknown p -> look(404, "asset-not-found", "Asset not found", "digest", p.digest());
            case Problem.UploadUnknown p -> look(404, "not-found", "Not found", "id", p.id());
            case Problem.UploadRangeInvalid p ->
                look(416, "bad-request", "Range not satisfiable", "id", p.id(), "committed", p.committed());
            case Problem.UploadInvalid p -> look(400, "bad-request", "Bad request");
            case Problem.RangeNotSatisfiable p -> look(416, "bad-request", "Range not satisfiable", "size", p.size());
            case Problem.ManifestInvalid p -> look(422, "validation-failed", "Validation failed");
            case Problem.ManifestUnknown p ->
                look(404, "not-found", "Not found", "name", p.name(), "reference", p.reference());
            case Problem.ManifestBlobUnknown p ->
                look(422, "validation-failed", "Validation failed", "digest", p.digest());
        };
    }

    /// @param pairs member name, value, …; values other than numbers, booleans and lists are written
    /// as text
    private static Look look(int status, String slug, String title, Object... pairs) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            Object value = pairs[i + 1];
            boolean plain = value instanceof Number || value instanceof Boolean || value instanceof Iterable<?>;
            members.put(pairs[i].toString(), plain ? value : value.toString());
        }
        return new Look(status, slug, title, members);
    }
}
