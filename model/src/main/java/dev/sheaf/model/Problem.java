package dev.sheaf.model;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Counted;
import dev.sheaf.model.text.Quoted;
import java.time.Instant;
import java.util.List;

/// Everything that the service refuses, and why (contract 1.2). Independent of HTTP: two renderers, `switch`es
/// without default, define the problem+json and the OCI error of each kind. [#detail] is one useful sentence: what
/// happened, why, what to do next. Values in it are components of the record.
public sealed interface Problem {
    String detail();

    /// Returns an exception that carries this problem.
    default ProblemException raise() {
        return new ProblemException(this);
    }

    /// Returns the problem of one broken rule. The caller that knows the place adds it: [ValidationFailed#under].
    static ProblemException invalid(String code, String detail) {
        return new ValidationFailed(List.of(new FieldError("", code, detail))).raise();
    }

    /// The caller's credential is missing or not sufficient.
    sealed interface Credential extends Problem {}

    /// Why a credential was not accepted, or that it is missing.
    enum CredentialFault {
        MISSING,
        MALFORMED,
        UNKNOWN,
        EXPIRED,
        REVOKED,
        DISABLED
    }

    record Unauthenticated(CredentialFault fault, String detail) implements Credential {}

    /// The password is right, and the account also requires a code.
    record TotpRequired(String detail) implements Credential {}

    /// The caller's key lacks the scope. The sentence is the specification's, word for word.
    record ScopeMissing(Scope needed) implements Credential {
        @Override
        public String detail() {
            return "API key requires '" + needed + "' scope";
        }
    }

    /// The caller's access token does not cover this; a new token for `actions` on the repository may.
    record GrantMissing(RepositoryName name, String actions) implements Credential {
        @Override
        public String detail() {
            return "the access token does not allow " + actions + " on " + name + "; ask for a token that does";
        }
    }

    /// The caller may see the thing, but it belongs to another organization.
    record NotOwner(String name) implements Credential {
        @Override
        public String detail() {
            return name + " belongs to another organization; use a key of its owner, or a namespace of your own";
        }
    }

    record NotAdministrator() implements Credential {
        @Override
        public String detail() {
            return "the installation is looked after with an admin API key of the organization that it began with,"
                    + " itself and without restrictions; this credential is another one";
        }
    }

    /// The caller may not do this, for a reason that no scope changes; `detail` says which.
    record Forbidden(String detail) implements Credential {}

    /// The resource does not exist, or the caller may not know that it does.
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

    /// `requested` is the selector as it was sent, `besides` is appended to it in the sentence; at most five
    /// `candidates` resemble it.
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
            return "bundle " + name + " has no tag " + Quoted.of(tag);
        }
    }

    record NoActiveVersion(RepositoryName name) implements Missing {
        @Override
        public String detail() {
            return "bundle " + name + " has no published version that is not yanked; push one first";
        }
    }

    /// `where` names what should contain the asset: a version, or the working assets of a bundle.
    record AssetNotFound(String asset, String where) implements Missing {
        @Override
        public String detail() {
            return "there is no asset " + Quoted.of(asset) + " in " + where;
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

    /// A position in a feed of events that has been deleted, or was never reached. `oldest` is the position before
    /// the oldest event that still exists.
    record CursorExpired(String oldest) implements Missing {
        @Override
        public String detail() {
            return "events behind this cursor are gone; read on from the oldest that is left, and look at what they"
                    + " are about anew: cursor " + oldest;
        }
    }

    /// The request conflicts with the current state.
    sealed interface Clash extends Problem {}

    record VersionExists(RepositoryName name, Version version, Digest existing, Digest offered) implements Clash {
        @Override
        public String detail() {
            return "version " + version + " of " + name + " exists with other content (" + existing + ", offered "
                    + offered + "); versions never change, publish a new one";
        }
    }

    /// A tag is not where the caller expects it. `actual` is the version that it points to, or says that it does
    /// not exist.
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

    /// The caller does not hold the lease of the job, or no longer holds it. `why` is a clause.
    record LeaseLost(String job, String why) implements Clash {
        @Override
        public String detail() {
            return "this credential does not hold job " + job + ": " + why + "; stop working on it";
        }
    }

    record VisibilityMismatch(RepositoryName name, String detail) implements Clash {}
    /// Assets that should be returned as text are binary; `assets` are the first of `count`.
    record BinaryAssets(List<String> assets, int count, String detail) implements Clash {}

    record IdempotencyInProgress(String key) implements Clash {
        @Override
        public String detail() {
            return "the request with the idempotency key " + Quoted.of(key)
                    + " is still being carried out; send it again in some seconds to hear how it ended";
        }
    }

    record IdempotencyMismatch(String key) implements Clash {
        @Override
        public String detail() {
            return "the idempotency key " + Quoted.of(key)
                    + " was used for another request within the last 24 hours; make a new key for a new request";
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

    /// One broken rule. `pointer` is an RFC 6901 pointer into the body or the name of a parameter; empty means the
    /// whole request.
    record FieldError(String pointer, String code, String detail) {}

    /// All errors of a request, not only the first.
    record ValidationFailed(List<FieldError> errors) implements Input {
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
            var first = errors.getFirst();
            String place = first.pointer().isEmpty() ? "" : first.pointer() + ": ";
            String more = errors.size() == 1 ? "" : " (and " + (errors.size() - 1) + " more, see errors)";
            return place + first.detail() + more;
        }
    }

    record BadRequest(String detail) implements Input {}

    record HeadUnfit(Unfit why, String detail) implements Input {}

    record TokenRefused(OAuthError error, String detail) implements Input {}

    record InvalidCursor() implements Input {
        @Override
        public String detail() {
            return "the cursor is malformed or was made for another list or other filters; start again without it";
        }
    }

    /// `what` is larger than `limit`, in bytes or in the items that `what` names.
    record PayloadTooLarge(String what, long limit) implements Input {
        @Override
        public String detail() {
            return what + " is over the limit of " + limit;
        }
    }

    /// One request needs more than the whole quota of the organization; deleting other things does not help.
    record LargerThanQuota(String organization, Counted what, long limit, long requested) implements Input {
        @Override
        public String detail() {
            return "this needs " + requested + " " + what + ", and the whole quota of the organization " + organization
                    + " is " + limit + "; ask the registry's operator for a larger quota";
        }
    }

    record UnsupportedMediaType(String given, String supported) implements Input {
        @Override
        public String detail() {
            return "the Content-Type " + Quoted.of(given) + " is not supported here; send " + supported;
        }
    }

    record NotAcceptable(String accept, String offered) implements Input {
        @Override
        public String detail() {
            return "nothing fits Accept " + Quoted.of(accept) + "; this resource is " + offered;
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

    /// The service cannot do this now.
    sealed interface Service extends Problem {}

    record RateLimited(String policy, String detail, long retryAfterSeconds) implements Service {}

    record StorageFull() implements Service {
        @Override
        public String detail() {
            return "the registry's disk is nearly full, so it accepts no content; tell its operator";
        }
    }

    record TooManyUploads(String detail, long limit) implements Service {}

    record QuotaExceeded(String organization, Counted what, long limit, long used, long requested) implements Service {
        @Override
        public String detail() {
            return "the organization " + organization + " uses " + used + " of at most " + limit + " " + what
                    + ", and this needs " + requested
                    + " more; delete what is no longer needed, or ask the registry's operator for a larger quota";
        }
    }

    /// `what` has `waiting` jobs that nobody has claimed; its limit is `limit`.
    record TooManyJobs(String what, long limit, long waiting) implements Service {
        @Override
        public String detail() {
            return what + " has " + waiting + " jobs that wait, and takes " + limit
                    + " at most; have workers claim some, or cancel some, and try again";
        }
    }

    record Unavailable(String detail, long retryAfterSeconds) implements Service {}

    record Internal() implements Service {
        @Override
        public String detail() {
            return "the registry failed on this request; its operator finds the cause in the log under the request id";
        }
    }

    /// Errors of the OCI registry (OCI distribution-spec 1.1.1, "Error Codes").
    sealed interface Registry extends Problem {}

    record RepositoryNameInvalid(String name) implements Registry {
        @Override
        public String detail() {
            return Quoted.of(name)
                    + " is no repository name here; write <namespace>/<bundle> in lower-case letters, digits and inner hyphens";
        }
    }

    record DigestInvalid(String detail) implements Registry {}

    /// The bytes do not have the announced digest.
    record DigestMismatch(Digest expected, Digest actual) implements Registry {
        @Override
        public String detail() {
            return "the content has digest " + actual + ", not " + expected + "; nothing was stored";
        }
    }

    record BlobUnknown(Digest digest) implements Registry {
        @Override
        public String detail() {
            return "this repository has no blob " + digest;
        }
    }

    record UploadUnknown(String id) implements Registry {
        @Override
        public String detail() {
            return "there is no upload " + Quoted.of(id) + " of yours here; it may have ended, so begin a new one";
        }
    }

    /// A chunk does not continue at the end of the upload, which remains usable.
    record UploadRangeInvalid(String id, long committed) implements Registry {
        @Override
        public String detail() {
            return "the upload holds " + committed + " bytes; send the chunk that begins there";
        }
    }

    record UploadInvalid(String detail) implements Registry {}

    record RangeNotSatisfiable(long size) implements Registry {
        @Override
        public String detail() {
            return "no byte of the range exists; the content has " + size + " bytes";
        }
    }

    record ManifestInvalid(String detail) implements Registry {}

    record ManifestUnknown(RepositoryName name, String reference) implements Registry {
        @Override
        public String detail() {
            return name + " has no manifest " + Quoted.of(reference);
        }
    }

    record ManifestBlobUnknown(Digest digest, String advice) implements Registry {
        @Override
        public String detail() {
            return "the manifest names " + digest + ", which this repository does not hold; " + advice;
        }
    }

    /// Returns the kind, for logs and metrics.
    default String kind() {
        return getClass().getSimpleName();
    }
}
