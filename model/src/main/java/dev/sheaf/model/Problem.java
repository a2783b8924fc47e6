package dev.sheaf.model;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.QuotaResource;
import dev.sheaf.model.text.Quoted;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Every refusal and its reason (contract 1.2), independent of HTTP: renderers without a `default` case define
/// how each kind looks. [#detail] says what happened, why, and what to do next, and shows components of the
/// record.
public sealed interface Problem {
    String detail();

    /// Returns the limit that refused the request because of load; null for any other refusal.
    default @Nullable Throttle throttle() {
        return null;
    }

    /// Returns an exception that carries this problem.
    default ProblemException raise() {
        return new ProblemException(this);
    }

    /// Returns an exception for one broken rule. The caller adds the place with [ValidationFailed#under].
    static ProblemException invalid(String code, String detail) {
        return new ValidationFailed(List.of(new FieldError("", code, detail))).raise();
    }

    /// The caller's credential is missing or not sufficient.
    sealed interface Credential extends Problem {}

    /// The reason for not accepting a credential.
    enum CredentialFault {
        MISSING,
        MALFORMED,
        UNKNOWN,
        EXPIRED,
        REVOKED,
        DISABLED
    }

    record Unauthenticated(CredentialFault fault, String detail) implements Credential {}

    /// The password is correct, but the account also requires a code.
    record TotpRequired(String detail) implements Credential {}

    /// The caller's key lacks the scope. The specification prescribes the wording.
    record ScopeMissing(Scope needed) implements Credential {
        @Override
        public String detail() {
            return "API key requires '" + needed + "' scope";
        }
    }

    /// The caller's access token does not allow `actions` on the repository. A new token may allow them.
    record GrantMissing(RepositoryName name, String actions) implements Credential {
        @Override
        public String detail() {
            return "the access token does not allow " + actions + " on " + name + "; ask for a token that does";
        }
    }

    /// The caller may see the resource, but not change it.
    ///
    /// @param isRestricted whether the restrictions of the credential say so; otherwise the resource belongs to
    ///     another organization
    record NotOwner(String name, boolean isRestricted) implements Credential {
        @Override
        public String detail() {
            return isRestricted
                    ? name + " is outside the restrictions of this credential; use one that may change it"
                    : name + " belongs to another organization; use a key of its owner, or a namespace of your own";
        }
    }

    record NotAdministrator() implements Credential {
        @Override
        public String detail() {
            return "this credential may not administer the installation; use an unrestricted admin API key of the"
                    + " installation's first organization, not an access token";
        }
    }

    /// The caller may not do this, and another scope would not help; `detail` gives the reason.
    record Forbidden(String detail) implements Credential {}

    /// Only a person who has signed in decides on a review.
    record ReviewNeedsPerson() implements Credential {
        @Override
        public String detail() {
            return "only people decide on reviews, and this credential belongs to no person who has signed in; sign in"
                    + " with `sheaf login` or in the console";
        }
    }

    /// The resource does not exist, or the caller may not know that it exists.
    sealed interface Missing extends Problem {}

    record NotFound(String what) implements Missing {
        @Override
        public String detail() {
            return what + " does not exist";
        }
    }

    record BundleNotFound(RepositoryName name, String more) implements Missing {
        @Override
        public String detail() {
            return "bundle " + name + " does not exist, or this credential may not see it" + more;
        }
    }

    /// `requested` is the selector as it was sent. `besides` follows it in the sentence. `candidates` are
    /// similar selectors, at most five.
    record VersionNotFound(RepositoryName name, String requested, String besides, List<String> candidates)
            implements Missing {
        public VersionNotFound {
            candidates = List.copyOf(candidates);
        }

        @Override
        public String detail() {
            String hint = candidates.isEmpty() ? "" : "; did you mean " + String.join(", ", candidates) + "?";
            return "no version of " + name + " matches " + Quoted.of(requested) + besides + hint;
        }
    }

    record TagNotFound(RepositoryName name, String tag) implements Missing {
        @Override
        public String detail() {
            return "the tag " + Quoted.of(tag) + " of bundle " + name + " does not exist";
        }
    }

    /// `yanked` describes its yanked versions; empty if it has none.
    record NoActiveVersion(RepositoryName name, String yanked) implements Missing {
        @Override
        public String detail() {
            return yanked.isEmpty()
                    ? "bundle " + name + " has no published version; publish one first"
                    : "all versions of " + name + " are yanked: " + yanked;
        }
    }

    /// `where` names the version, or the working assets of the bundle.
    record AssetNotFound(String asset, String where) implements Missing {
        @Override
        public String detail() {
            return "the asset " + Quoted.of(asset) + " does not exist in " + where;
        }
    }

    /// `requested` is a version or a digest.
    record VersionDeleted(RepositoryName name, String requested, Instant deletedAt) implements Missing {
        @Override
        public String detail() {
            return Quoted.of(requested) + " of " + name + " was deleted at " + deletedAt
                    + "; its number and its digest are never used again, so choose another version";
        }
    }

    /// `requested` is a version or a digest. `advisory` is an address, and `replacement` says what to use
    /// instead.
    record VersionRecalled(
            RepositoryName name,
            String requested,
            RecallSeverity severity,
            String reason,
            @Nullable String advisory,
            @Nullable String replacement)
            implements Missing {
        @Override
        public String detail() {
            return Quoted.of(requested) + " of " + name + " was recalled (" + severity + "): "
                    + reason.strip().replaceFirst("[.;,\\s]+$", "")
                    + "; do not use it, and remove it where it is installed"
                    + (replacement == null ? "" : "; use instead: " + replacement)
                    + (advisory == null ? "" : "; more: " + advisory);
        }
    }

    /// The event at this position was deleted or does not exist yet. `oldest` is the position before the oldest
    /// event that still exists.
    record CursorExpired(String oldest) implements Missing {
        @Override
        public String detail() {
            return "events after this cursor were deleted; read the current state of the resources that you follow,"
                    + " then continue with the oldest event that still exists: cursor " + oldest;
        }
    }

    /// The request conflicts with the current state.
    sealed interface Clash extends Problem {}

    /// @param differs what differs; a clause
    record VersionExists(RepositoryName name, Version version, Digest existing, Digest offered, String differs)
            implements Clash {
        @Override
        public String detail() {
            return "version " + version + " of " + name + " exists with different content (" + existing + ", offered "
                    + offered + "): " + differs + "; a version never changes, so publish a new one";
        }
    }

    /// A tag does not point to the expected version. `actual` is the version or digest that it points to, or
    /// `nothing`.
    record TagMoved(RepositoryName name, Tag tag, Version expected, String actual) implements Clash {
        @Override
        public String detail() {
            return "the tag " + tag + " of " + name + " points to " + actual + ", not to " + expected
                    + "; read it again and repeat the change";
        }
    }

    record TagProtected(RepositoryName name, Tag tag) implements Clash {
        @Override
        public String detail() {
            return "the tag " + tag + " of " + name + " is protected; lift the protection first, with PUT and "
                    + "\"protected\": false";
        }
    }

    record NameTaken(String name) implements Clash {
        @Override
        public String detail() {
            return name + " is taken; choose another name";
        }
    }

    record NameReserved(String name) implements Clash {
        @Override
        public String detail() {
            return Quoted.of(name) + " is reserved; choose another name";
        }
    }

    record Conflict(String detail) implements Clash {}

    /// Other content waits for approval under the same number.
    record VersionHeld(RepositoryName name, Version version, Digest held, Digest offered) implements Clash {
        @Override
        public String detail() {
            return "version " + version + " of " + name + " waits for approval with other content (" + held
                    + ", offered "
                    + offered + "); only who pushed it or an admin can replace it: publish another version, or have"
                    + " that one withdrawn";
        }
    }

    /// The bundle cannot become public, because nobody approved some of its versions.
    ///
    /// @param versions the highest of them
    /// @param count how many there are
    record NeedsReview(RepositoryName name, List<Version> versions, int count) implements Clash {
        public NeedsReview {
            versions = List.copyOf(versions);
        }

        @Override
        public String detail() {
            return name + " cannot become public yet: its policy asks for approval, and nobody approved "
                    + (count == 1 ? "the version " : count + " of its versions: ")
                    + versions.stream().map(Version::toString).collect(Collectors.joining(", "))
                    + (count > versions.size() ? " and others" : "")
                    + "; ask for the review of each (:request-review, or sheaf review request) or delete it, and make"
                    + " the bundle public when all are approved";
        }
    }

    /// `what` has as many pushes that wait for approval as it may have.
    record TooManyHeld(String what, int limit) implements Clash {
        @Override
        public String detail() {
            return what + " has " + limit + " versions that wait for approval, and cannot have more; have some of them"
                    + " decided or withdrawn first";
        }
    }

    /// The caller does not hold the lease of the job, or no longer holds it. `why` is a clause.
    record LeaseLost(String job, String why) implements Clash {
        @Override
        public String detail() {
            return "this credential does not hold job " + job + ": " + why + "; stop working on it";
        }
    }

    /// A requirement of a version.
    ///
    /// @param by the version, as `namespace/slug:version`
    record Demand(String by, RepositoryName bundle, String range) implements Serializable {
        @Override
        public String toString() {
            return by + " requires " + bundle + " " + range;
        }
    }

    /// No choice of versions meets all that a version needs. `demands` contradict each other, or no version that the
    /// caller may read meets them.
    record Unsatisfiable(RepositoryName name, List<Demand> demands) implements Clash {
        public Unsatisfiable {
            demands = List.copyOf(demands);
        }

        @Override
        public String detail() {
            return "what " + name + " needs cannot be met: " + shown(demands)
                    + "; use another version, or ask the publishers for ranges that fit together";
        }
    }

    /// Namespaces of required bundles have other owners than when the versions were published.
    record OwnerChanged(RepositoryName name, List<Demand> demands) implements Clash {
        public OwnerChanged {
            demands = List.copyOf(demands);
        }

        @Override
        public String detail() {
            return "the owner of a namespace changed after a version that needs it was published: " + shown(demands)
                    + "; if you trust the new owner, name the namespace in acceptOwner, or wait for a new version of what"
                    + " requires it";
        }
    }

    /// Published versions of the own organization cannot be resolved without what is deleted.
    record RequiredBy(String what, List<String> dependents) implements Clash {
        public RequiredBy {
            dependents = List.copyOf(dependents);
        }

        @Override
        public String detail() {
            return what + " is required by " + String.join(", ", dependents) + ", and nothing else would do; publish"
                    + " another version first, or repeat the request with force=true";
        }
    }

    private static String shown(List<Demand> demands) {
        String first = demands.stream().limit(5).map(Demand::toString).collect(Collectors.joining(", "));
        return first + (demands.size() > 5 ? " and " + (demands.size() - 5) + " more" : "");
    }

    record VisibilityMismatch(RepositoryName name, String detail) implements Clash {}
    /// The request asked for the text of `count` binary assets. `assets` contains the first of them.
    record BinaryAssets(List<String> assets, int count, String detail) implements Clash {}

    record IdempotencyInProgress(String key) implements Clash {
        @Override
        public String detail() {
            return "the request with the idempotency key " + Quoted.of(key)
                    + " is still running; send it again in a few seconds to get its result";
        }
    }

    record IdempotencyMismatch(String key) implements Clash {
        @Override
        public String detail() {
            return "the idempotency key " + Quoted.of(key) + " was used for another request in the last 24 hours;"
                    + " make a new key for a new request";
        }
    }

    record PreconditionFailed(String etag) implements Clash {
        @Override
        public String detail() {
            return "the resource has changed: its ETag is " + etag + "; read it again and repeat the change";
        }
    }

    /// The request itself is wrong.
    sealed interface Input extends Problem {}

    /// A policy asks for more approvals than anybody could give. `why` is a clause.
    record ReviewImpossible(int approvals, String why) implements Input {
        @Override
        public String detail() {
            return "no version could ever be approved: " + approvals
                    + (approvals == 1 ? " approval is" : " approvals are")
                    + " asked for, but " + why + "; invite more people, let more of them approve (\"by\"), ask for"
                    + " fewer approvals, or let people approve what they pushed themselves (\"notBy\": \"nobody\")";
        }
    }

    /// A policy refuses a version because of what was found in it.
    ///
    /// @param block the least severity that the policy refuses
    /// @param findings what was found, each a sentence with rule, severity, place and advice; the worst first
    record ScanBlocked(RepositoryName name, Version version, String block, List<String> findings) implements Input {
        public ScanBlocked {
            findings = List.copyOf(findings);
        }

        @Override
        public String detail() {
            int more = findings.size() - 1;
            return "the policy of " + name + " refuses versions with findings of severity " + block
                    + " and worse, and version " + version + " has "
                    + (findings.isEmpty() ? "one" : findings.getFirst())
                    + (more <= 0 ? "" : "; and " + more + " more")
                    + "; change the files, and push again";
        }
    }

    /// A version needs more bundles than are resolved together. `what` names what there is too much of.
    record ClosureTooLarge(RepositoryName name, int limit, String what) implements Input {
        @Override
        public String detail() {
            return "what " + name + " needs cannot be resolved in one request, which has at most " + limit + " " + what
                    + "; install its requirements one by one, or require fewer";
        }
    }

    /// Not everybody who can read the version could read a bundle that it requires, or no version of that is in the
    /// range. A bundle that the caller may not read looks like a missing one. `why` is a clause.
    record RequirementNotReadable(RepositoryName name, RepositoryName required, String why) implements Input {
        @Override
        public String detail() {
            return name + " cannot require " + required + ": " + why;
        }
    }

    /// One broken rule. `pointer` is an RFC 6901 pointer into the body or the name of a parameter; empty means
    /// the whole request.
    record FieldError(String pointer, String code, String detail) implements Serializable {}

    /// All errors of a request, not only the first.
    record ValidationFailed(List<FieldError> errors) implements Input {
        private static final int MOST_DETAILS = 20;

        public ValidationFailed {
            errors = List.copyOf(errors);
        }

        /// Returns the same errors below `place`, which is a pointer or the name of a parameter.
        public ValidationFailed under(String place) {
            return new ValidationFailed(errors.stream()
                    .map(e -> new FieldError(place + e.pointer(), e.code(), e.detail()))
                    .toList());
        }

        @Override
        public String detail() {
            String more = errors.size() == 1 ? "" : " (and " + (errors.size() - 1) + " more, see errors)";
            return placed(errors.getFirst()) + more;
        }

        /// Returns the first errors in one sentence, for answers that have no list of them.
        public String allDetails() {
            String first = errors.stream()
                    .limit(MOST_DETAILS)
                    .map(ValidationFailed::placed)
                    .collect(Collectors.joining("; "));
            return errors.size() <= MOST_DETAILS ? first : first + "; and " + (errors.size() - MOST_DETAILS) + " more";
        }

        private static String placed(FieldError error) {
            return (error.pointer().isEmpty() ? "" : error.pointer() + ": ") + error.detail();
        }
    }

    record BadRequest(String detail) implements Input {}

    record HeadUnfit(RequestHeadFault why, String detail) implements Input {
        @Override
        public @Nullable Throttle throttle() {
            return switch (why) {
                case URI_TOO_LONG, FIELDS_TOO_LARGE -> Throttle.SIZE;
                case CODING_UNKNOWN, VERSION_UNSUPPORTED -> null;
            };
        }
    }

    record TokenRefused(OAuthError error, String detail) implements Input {}

    record InvalidCursor() implements Input {
        @Override
        public String detail() {
            return "the cursor is malformed or was made for another list or other filters; start again without it";
        }
    }

    /// `what` is over `limit`, which is counted in `unit`.
    ///
    /// @param throttle size for a fixed limit; memory if this node has less than that
    record PayloadTooLarge(Throttle throttle, String what, long limit, String unit) implements Input {
        /// Creates the problem for a limit in this unit.
        public PayloadTooLarge(String what, long limit, String unit) {
            this(Throttle.SIZE, what, limit, unit);
        }

        @Override
        public String detail() {
            String of = throttle == Throttle.MEMORY ? " of this node's memory (memory-budget-bytes)" : "";
            return what + " is over the limit of " + limit + " " + unit + of;
        }
    }

    /// One request needs more than the whole quota of the organization; deleting other things does not help.
    record LargerThanQuota(String organization, QuotaResource what, long limit, long requested) implements Input {
        @Override
        public String detail() {
            return "this needs " + requested + " " + what + ", but the whole quota of the organization " + organization
                    + " is " + limit + "; ask the registry's operator for a larger quota";
        }
    }

    record UnsupportedMediaType(String header, String given, String supported) implements Input {
        @Override
        public String detail() {
            return "the " + header + " " + Quoted.of(given) + " is not supported here; send " + supported;
        }
    }

    record NotAcceptable(String accept, String offered) implements Input {
        @Override
        public String detail() {
            return "no available format matches Accept " + Quoted.of(accept) + "; available: " + offered;
        }
    }

    record Misdirected(String host, String detail) implements Input {}

    record MethodNotAllowed(String method, List<String> allowed) implements Input {
        public MethodNotAllowed {
            allowed = List.copyOf(allowed);
        }

        @Override
        public String detail() {
            return method + " is not possible here; use " + String.join(", ", allowed);
        }
    }

    /// The registry cannot do this now.
    sealed interface Service extends Problem {}

    /// The caller asks for too much at a time.
    ///
    /// @param policy what is counted, such as `reads`
    record RateLimited(Throttle throttle, String policy, String detail, long retryAfterSeconds) implements Service {}

    record StorageFull() implements Service {
        @Override
        public String detail() {
            return "the registry's disk is nearly full, so it accepts no content; tell its operator";
        }
    }

    record TooManyUploads(String detail, long limit) implements Service {
        @Override
        public Throttle throttle() {
            return Throttle.SIZE;
        }
    }

    record QuotaExceeded(String organization, QuotaResource what, long limit, long used, long requested)
            implements Service {
        @Override
        public String detail() {
            return "the organization " + organization + " uses " + used + " of at most " + limit + " " + what
                    + ", and this needs " + requested
                    + " more; delete what is no longer needed, or ask the registry's operator for a larger quota";
        }
    }

    /// `what` is a queue or an organization. It has `waiting` unclaimed jobs and may have at most `limit`.
    record TooManyJobs(String what, long limit, long waiting) implements Service {
        @Override
        public String detail() {
            return what + " has " + waiting + " waiting jobs, and the limit is " + limit
                    + "; let workers claim some of them, or cancel some, and try again";
        }
    }

    /// @param throttle null if the reason is not the load but a failure or the state of the service
    record Unavailable(@Nullable Throttle throttle, String detail, long retryAfterSeconds) implements Service {
        /// Creates the problem with the time after which another attempt is useful.
        public Unavailable(String detail, long retryAfterSeconds) {
            this(null, detail, retryAfterSeconds);
        }
    }

    record Internal() implements Service {
        @Override
        public String detail() {
            return "the registry failed on this request; its operator can find the cause in the log by the request id";
        }
    }

    /// Errors of the OCI registry (OCI distribution-spec 1.1.1, "Error Codes").
    sealed interface Registry extends Problem {}

    record RepositoryNameInvalid(String name) implements Registry {
        @Override
        public String detail() {
            return Quoted.of(name)
                    + " is not a repository name; write <namespace>/<name>, or more parts after the namespace: lower-case"
                    + " letters and digits, with \"-\", \".\", \"_\" or \"__\" between them (in the namespace only \"-\");"
                    + " no part ends in .git or .json";
        }
    }

    record DigestInvalid(String detail) implements Registry {}

    /// The bytes do not have the announced digest.
    record DigestMismatch(Digest expected, Digest actual) implements Registry {
        @Override
        public String detail() {
            return "the content has digest " + actual + ", not " + expected + "; nothing was stored, so send it again";
        }
    }

    record BlobUnknown(Digest digest) implements Registry {
        @Override
        public String detail() {
            return "the blob " + digest + " does not exist in this repository";
        }
    }

    record UploadUnknown(String id) implements Registry {
        @Override
        public String detail() {
            return "this credential has no open upload " + Quoted.of(id) + "; it may have ended, so start a new one";
        }
    }

    /// A chunk does not begin at the end of the upload. The upload remains usable.
    record UploadRangeInvalid(String id, long committed) implements Registry {
        @Override
        public String detail() {
            return "the upload has " + committed + " bytes; send the chunk that begins at byte " + committed;
        }
    }

    record UploadInvalid(String detail) implements Registry {}

    record RangeNotSatisfiable(long size) implements Registry {
        @Override
        public String detail() {
            return "the range is outside of the content, which has " + size + " bytes; ask for a range within it";
        }
    }

    record ManifestInvalid(String detail) implements Registry {}

    record ManifestUnknown(RepositoryName name, String reference) implements Registry {
        @Override
        public String detail() {
            return "the manifest " + Quoted.of(reference) + " does not exist in " + name;
        }
    }

    record ManifestBlobUnknown(Digest digest, String advice) implements Registry {
        @Override
        public String detail() {
            return "the manifest names " + digest + ", which this repository does not have; " + advice;
        }
    }

    /// Returns the kind, for logs and metrics.
    default String kind() {
        return getClass().getSimpleName();
    }
}
