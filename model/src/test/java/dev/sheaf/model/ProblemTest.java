package dev.sheaf.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.QuotaResource;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProblemTest {
    private static final RepositoryName NAME = RepositoryName.parse("acme/java-kit");
    private static final Digest ONE = Digest.sha256(new byte[] {1});
    private static final Digest TWO = Digest.sha256(new byte[] {2});

    private static final List<Problem> KINDS = List.of(
            new Problem.Unauthenticated(CredentialFault.EXPIRED, "the API key has expired; create a new one"),
            new Problem.ScopeMissing(Scope.WRITE),
            new Problem.GrantMissing(NAME, "pull,push"),
            new Problem.NotOwner("bundle acme/java-kit", false),
            new Problem.NotOwner("bundle acme/java-kit", true),
            new Problem.NotAdministrator(),
            new Problem.Forbidden("an access token cannot create keys"),
            new Problem.TotpRequired("a code of the authenticator is needed"),
            new Problem.TokenRefused(OAuthError.INVALID_GRANT, "the claim aud is missing"),
            new Problem.NotFound("API key 7"),
            new Problem.BundleNotFound(NAME, ""),
            new Problem.VersionNotFound(NAME, "1.0.1", "", List.of("1.0.0", "1.1.0")),
            new Problem.TagNotFound(NAME, "stable"),
            new Problem.NoActiveVersion(NAME, ""),
            new Problem.CursorExpired("Example"),
            new Problem.VersionExists(NAME, Version.parse("1.0.0"), ONE, TWO, "the file a.md differs"),
            new Problem.TagMoved(NAME, new Tag("stable"), Version.parse("1.0.0"), "1.1.0"),
            new Problem.AssetNotFound("docs/a.md", "version 1.0.0 of acme/java-kit"),
            new Problem.VersionDeleted(NAME, "1.0.0", Instant.EPOCH),
            new Problem.VersionRecalled(NAME, "1.0.0", RecallSeverity.CRITICAL, "sends keys", null, "1.0.1"),
            new Problem.TagProtected(NAME, new Tag("stable")),
            new Problem.NameTaken("acme"),
            new Problem.NameReserved("admin"),
            new Problem.Conflict("the organization has 100 live keys, the limit; revoke one first"),
            new Problem.VersionHeld(NAME, Version.parse("1.0.0"), ONE, TWO),
            new Problem.TooManyHeld("acme/notes", 20),
            new Problem.NeedsReview(NAME, List.of(Version.parse("1.0.0")), 1),
            new Problem.ReviewNeedsPerson(),
            new Problem.Unsatisfiable(NAME, List.of(new Problem.Demand("acme/kit:1.0.0", NAME, "^1"))),
            new Problem.OwnerChanged(NAME, List.of(new Problem.Demand("acme/kit:1.0.0", NAME, "^1"))),
            new Problem.RequiredBy("acme/lib:1.0.0", List.of("acme/kit:1.0.0")),
            new Problem.ClosureTooLarge(NAME, 500, "bundles"),
            new Problem.RequirementNotReadable(NAME, NAME, "there is no such bundle"),
            new Problem.ReviewImpossible(2, "only 1 of the organization's people may give one"),
            new Problem.ScanBlocked(
                    NAME,
                    Version.parse("1.0.0"),
                    "high",
                    List.of("SKILL.md:3: Deletes the home folder: rm -rf ~ (wipe, high): Do not run it")),
            new Problem.LeaseLost("01900000-0000-7000-8000-000000000001", "somebody else claimed it"),
            new Problem.TooManyJobs("the queue checks", 100_000, 100_000),
            new Problem.VisibilityMismatch(NAME, "bundle acme/x is public and this push says private; leave it out"),
            new Problem.BinaryAssets(List.of("a.png"), 1, "version 1.0.0 has binary content; ask with ?binary=base64"),
            new Problem.IdempotencyInProgress("k-1"),
            new Problem.IdempotencyMismatch("k-1"),
            new Problem.PreconditionFailed("\"abc\""),
            new Problem.ValidationFailed(List.of(new FieldError("/name", "required", "\"name\" is required"))),
            new Problem.BadRequest("the body is empty; send a JSON document"),
            new Problem.HeadUnfit(RequestHeadFault.VERSION_UNSUPPORTED, "HTTP/1.1 is spoken here"),
            new Problem.InvalidCursor(),
            new Problem.PayloadTooLarge("the JSON body", 5, "bytes"),
            new Problem.UnsupportedMediaType("Content-Type", "text/css", "application/json"),
            new Problem.NotAcceptable("text/css", "application/json"),
            new Problem.MethodNotAllowed("PUT", List.of("GET", "HEAD")),
            new Problem.RateLimited(Throttle.RATE, "reads", "too many requests; try again in 7 s", 7),
            new Problem.Misdirected(
                    "evil.example",
                    "this registry does not accept requests for the host evil.example; use another host"),
            new Problem.StorageFull(),
            new Problem.TooManyUploads("the organization acme has 200 uploads open; finish or cancel some", 200),
            new Problem.QuotaExceeded("acme", QuotaResource.BUNDLES, 5, 5, 1),
            new Problem.LargerThanQuota("acme", QuotaResource.BYTES, 1_000, 1_001),
            new Problem.Unavailable("the database cannot be reached now", 5),
            new Problem.Internal(),
            new Problem.RepositoryNameInvalid("Acme"),
            new Problem.DigestInvalid("the digest \"x\" must be sha256: or sha512:"),
            new Problem.DigestMismatch(ONE, TWO),
            new Problem.BlobUnknown(ONE),
            new Problem.UploadUnknown("u-1"),
            new Problem.UploadRangeInvalid("u-1", 12),
            new Problem.UploadInvalid("the upload ends before it begins"),
            new Problem.RangeNotSatisfiable(12),
            new Problem.ManifestInvalid("the manifest has no layers"),
            new Problem.ManifestUnknown(NAME, "latest"),
            new Problem.ManifestBlobUnknown(ONE, "upload it"));

    static Stream<Problem> kinds() {
        return KINDS.stream();
    }

    @Test
    void hasNoKindThatTheseTestsForget() {
        Set<Class<?>> tested = new HashSet<>();

        kinds().forEach(problem -> tested.add(problem.getClass()));

        assertThat(tested)
                .containsExactlyInAnyOrderElementsOf(leaves(Problem.class).toList());
    }

    private static Stream<Class<?>> leaves(Class<?> kind) {
        return kind.isSealed()
                ? Arrays.stream(kind.getPermittedSubclasses()).flatMap(ProblemTest::leaves)
                : Stream.of(kind);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void saysOneSentenceInOneLineWithoutNulls(Problem problem) {
        String detail = problem.detail();

        assertThat(detail)
                .isNotBlank()
                .doesNotContain("null", "\n", "Optional", "[", "ValidationFailed")
                .doesNotEndWith(".");
        assertThat(detail.replaceAll("\\d\\.\\d|[\"<>]", "")).doesNotContain(". ");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isCarriedByItsExceptionAsItIs(Problem problem) {
        var exception = problem.raise();

        assertThat(exception.problem()).isSameAs(problem);
        assertThat(exception).hasMessage(problem.detail());
        assertThat(exception.getStackTrace()).isEmpty();
    }

    /// Specification, "Errors": the form of the sentence.
    @Test
    void namesTheMissingScopeAsTheSpecificationDoes() {
        assertThat(Arrays.stream(Scope.values()).map(scope -> new Problem.ScopeMissing(scope).detail()))
                .containsExactly(
                        "API key requires 'read' scope",
                        "API key requires 'write' scope",
                        "API key requires 'admin' scope");
    }

    @Test
    void putsErrorsUnderAPlaceAndTellsHowManyThereAre() {
        var failed = new Problem.ValidationFailed(
                List.of(new FieldError("/0", "format", "is wrong"), new FieldError("", "range", "is too much")));

        var placed = failed.under("/restrictions/cidrs");

        assertThat(placed.errors())
                .extracting(FieldError::pointer)
                .containsExactly("/restrictions/cidrs/0", "/restrictions/cidrs");
        assertThat(placed.detail()).isEqualTo("/restrictions/cidrs/0: is wrong (and 1 more, see errors)");
    }

    @Test
    void turnsARefusalIntoAnErrorAtAPlace() {
        assertThat(ProblemException.check("/slug", () -> BundleName.parseBundle("good")))
                .isEmpty();
        assertThat(ProblemException.check("/slug", () -> BundleName.parseBundle("Bad"))
                        .map(Problem.ValidationFailed::errors))
                .isEqualTo(Optional.of(List.of(new FieldError(
                        "/slug",
                        "format",
                        "the slug \"Bad\" may contain only lower-case letters and digits,"
                                + " with \"-\", \".\", \"_\" or \"__\" between them, such as \"java-kit\""))));
    }

    @Test
    void letsNoHostileInputIntoItsSentence() {
        String hostile = "\u001B[2J\u202E\r\nX";

        assertThat(Stream.of(
                        new Problem.VersionNotFound(NAME, hostile, "", List.of()),
                        new Problem.TagNotFound(NAME, hostile),
                        new Problem.NameReserved(hostile),
                        new Problem.UnsupportedMediaType("Content-Type", hostile, "application/json"),
                        new Problem.NotAcceptable(hostile, "application/json"),
                        new Problem.RepositoryNameInvalid(hostile),
                        new Problem.UploadUnknown(hostile),
                        new Problem.ManifestUnknown(NAME, hostile)))
                .allSatisfy(problem -> assertThat(problem.detail()).doesNotContain("\u001B", "\u202E", "\r", "\n"));
    }
}
