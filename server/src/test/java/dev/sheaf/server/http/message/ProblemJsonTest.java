package dev.sheaf.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.RequestHeadFault;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.QuotaResource;
import dev.sheaf.server.http.TinyServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Contract 1.2, for every kind of problem there is.
@SuppressWarnings("NullAway") // set by JUnit
class ProblemJsonTest {
    private static final String LONG = "€\u0001".repeat(2_000); // three bytes, and six as an escape
    private static final RepositoryName NAME = RepositoryName.parse("n".repeat(100) + "/" + "b".repeat(100));
    private static final Digest DIGEST = Digest.of(Digest.Algorithm.SHA512, new byte[0]);
    private static final Version VERSION = Version.parse("1.0.0-" + "a".repeat(122));

    /// Every kind, with values as long as a client can make them.
    private static final List<Problem> KINDS = List.of(
            new Problem.Unauthenticated(CredentialFault.EXPIRED, LONG),
            new Problem.ScopeMissing(Scope.WRITE),
            new Problem.GrantMissing(NAME, "pull,push"),
            new Problem.NotOwner("bundle " + NAME, false),
            new Problem.NotAdministrator(),
            new Problem.Forbidden(LONG),
            new Problem.TotpRequired("a code"),
            new Problem.NotFound(LONG),
            new Problem.BundleNotFound(NAME, ""),
            new Problem.VersionNotFound(
                    NAME, LONG.substring(0, 256), " as of " + LONG, Collections.nCopies(5, "t".repeat(128))),
            new Problem.TagNotFound(NAME, LONG),
            new Problem.NoActiveVersion(NAME, ""),
            new Problem.CursorExpired("Example"),
            new Problem.VersionExists(NAME, VERSION, DIGEST, DIGEST, "the file a.md differs"),
            new Problem.TagMoved(NAME, new Tag("t".repeat(128)), VERSION, VERSION.toString()),
            new Problem.AssetNotFound("p".repeat(500), "version " + VERSION + " of " + NAME),
            new Problem.VersionDeleted(NAME, DIGEST.toString(), Instant.EPOCH),
            new Problem.VersionRecalled(
                    NAME, DIGEST.toString(), RecallSeverity.CRITICAL, LONG, "https://example.com", LONG),
            new Problem.TagProtected(NAME, new Tag("t".repeat(128))),
            new Problem.NameTaken(LONG.substring(0, 100)),
            new Problem.NameReserved(LONG),
            new Problem.VisibilityMismatch(NAME, "the visibility is another"),
            new Problem.BinaryAssets(List.of("a.png"), 1, "no text"),
            new Problem.LeaseLost("01900000-0000-7000-8000-000000000001", LONG.substring(0, 500)),
            new Problem.TooManyJobs("queue " + LONG.substring(0, 100), 100_000, 100_000),
            new Problem.Conflict("a conflict"),
            new Problem.VersionHeld(NAME, VERSION, DIGEST, DIGEST),
            new Problem.TooManyHeld("organization " + LONG.substring(0, 100), 200),
            new Problem.ReviewNeedsPerson(),
            new Problem.Unsatisfiable(NAME, List.of(new Problem.Demand("acme/notes:1.0.0", NAME, "^1"))),
            new Problem.OwnerChanged(NAME, List.of(new Problem.Demand("acme/notes:1.0.0", NAME, "^1"))),
            new Problem.RequiredBy("acme/lib:1.0.0", List.of("acme/notes:1.0.0")),
            new Problem.ClosureTooLarge(NAME, 500, "bundles"),
            new Problem.NeedsReview(NAME, List.of(VERSION), 1),
            new Problem.RequirementNotReadable(NAME, NAME, "it is private"),
            new Problem.ReviewImpossible(2, "only 1 of the organization's people may give one"),
            new Problem.ScanBlocked(NAME, VERSION, "high", Collections.nCopies(50, LONG)),
            new Problem.IdempotencyInProgress("k-1"),
            new Problem.IdempotencyMismatch("k-1"),
            new Problem.PreconditionFailed("\"e\""),
            new Problem.ValidationFailed(Collections.nCopies(
                    5_000, new FieldError("/manifest/1999/logicalPath", "format", LONG.substring(0, 200)))),
            new Problem.BadRequest("bad"),
            new Problem.TokenRefused(OAuthError.INVALID_GRANT, LONG),
            new Problem.InvalidCursor(),
            new Problem.PayloadTooLarge("the asset " + "€".repeat(166), 5, "bytes"),
            new Problem.LargerThanQuota("o".repeat(100), QuotaResource.BYTES, 5, 6),
            new Problem.UnsupportedMediaType("Content-Type", LONG, "application/json"),
            new Problem.NotAcceptable(LONG, "application/json"),
            new Problem.MethodNotAllowed("M".repeat(2_000), List.of("GET")),
            new Problem.RateLimited(Throttle.RATE, "reads", "too many requests; try again in 7 s", 7),
            new Problem.Misdirected("evil.example", "this registry does not accept requests for the host evil.example"),
            new Problem.StorageFull(),
            new Problem.QuotaExceeded("o".repeat(100), QuotaResource.VERSIONS, Long.MAX_VALUE, 7, 1),
            new Problem.Unavailable("later", 5),
            new Problem.Internal(),
            new Problem.HeadUnfit(RequestHeadFault.URI_TOO_LONG, LONG),
            new Problem.TooManyUploads(LONG, 200),
            new Problem.RepositoryNameInvalid(LONG),
            new Problem.DigestInvalid("the digest"),
            new Problem.DigestMismatch(DIGEST, DIGEST),
            new Problem.BlobUnknown(DIGEST),
            new Problem.UploadUnknown(LONG),
            new Problem.UploadRangeInvalid(LONG, 12),
            new Problem.UploadInvalid("the upload"),
            new Problem.RangeNotSatisfiable(12),
            new Problem.ManifestInvalid("the manifest"),
            new Problem.ManifestUnknown(NAME, LONG),
            new Problem.ManifestBlobUnknown(DIGEST, "upload it"));

    private TinyServer server;

    @BeforeEach
    void open(@TempDir Path folder) {
        server = TinyServer.get(folder, "/raise/{kind}/{rest...}", call -> {
            throw KINDS.get(Integer.parseInt(call.parameter("kind"))).raise();
        });
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void staysUnder4096BytesWhateverWasSent() throws Exception {
        for (int i = 0; i < KINDS.size(); i++) {
            var reply = server.get("/raise/" + i + "/" + "x".repeat(3_000));

            assertThat(reply.body().getBytes(StandardCharsets.UTF_8))
                    .as(KINDS.get(i).kind())
                    .hasSizeLessThan(4_096);
        }
    }

    @Test
    void hasTheMembersOfTheContractForEveryKind() throws Exception {
        for (int i = 0; i < KINDS.size(); i++) {
            var reply = server.get("/raise/" + i + "/x");
            var json = json(reply);

            assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(json.get("status").intValue())
                    .isEqualTo(reply.statusCode())
                    .isBetween(400, 599);
            assertThat(json.get("detail").stringValue()).isNotBlank();
            if (json.get("type").stringValue().equals("about:blank")) {
                assertThat(names(json)).containsExactly("type", "title", "status", "detail");
                assertThat(reply.headers().firstValue("WWW-Authenticate")).isPresent();
            } else {
                assertThat(json.get("type").stringValue())
                        .isEqualTo("https://bundles.example.org/problems/"
                                + json.get("code").stringValue());
                assertThat(names(json)).contains("title", "instance", "requestId");
                assertThat(json.get("requestId").stringValue())
                        .isEqualTo(reply.headers().firstValue("X-Request-Id").orElseThrow());
            }
        }
    }

    @Test
    void coversEveryKind() {
        assertThat(KINDS.stream().map(Problem::kind))
                .containsExactlyInAnyOrderElementsOf(
                        leaves(Problem.class).map(Class::getSimpleName).toList());
    }

    private static Stream<Class<?>> leaves(Class<?> kind) {
        return kind.isSealed()
                ? Arrays.stream(kind.getPermittedSubclasses()).flatMap(ProblemJsonTest::leaves)
                : Stream.of(kind);
    }

    /// The four members to the letter, and no other.
    @Test
    void writesTheMissingScopeAsTheSpecificationDoes() throws Exception {
        var reply = server.get("/raise/1/x");

        assertThat(reply.statusCode()).isEqualTo(403);
        assertThat(reply.body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,"
                        + "\"detail\":\"API key requires 'write' scope\"}");
        assertThat(reply.headers().firstValue("WWW-Authenticate"))
                .contains(
                        "Bearer realm=\"https://bundles.example.org\", error=\"insufficient_scope\", scope=\"write\"");
    }

    @Test
    void saysInTheChallengeThatACredentialWasRefused() throws Exception {
        var reply = server.get("/raise/0/x");

        assertThat(reply.statusCode()).isEqualTo(401);
        assertThat(reply.headers().firstValue("WWW-Authenticate"))
                .contains("Bearer realm=\"https://bundles.example.org\", error=\"invalid_token\"");
    }

    @Test
    void saysWhenToComeBack() throws Exception {
        for (int i = 0; i < KINDS.size(); i++) {
            boolean later = KINDS.get(i) instanceof Problem.RateLimited || KINDS.get(i) instanceof Problem.Unavailable;

            assertThat(server.get("/raise/" + i + "/x")
                            .headers()
                            .firstValue("Retry-After")
                            .isPresent())
                    .as(KINDS.get(i).kind())
                    .isEqualTo(later);
        }
    }

    private static JsonNode json(HttpResponse<String> reply) {
        return Json.read(reply.body().getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> names(JsonNode json) {
        return List.copyOf(json.propertyNames());
    }
}
