package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.api.model.BundleClient;
import dev.sheaf.server.registry.referrer.Signatures;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What resolve says of signatures, which are referrers of a version's manifest: that one is there.
class SignedTest extends V2Scenario {
    private static final String SIGN = "https://sigstore.dev/cosign/sign/v1";
    private static final String BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json";
    private static final String SIGNS = "{\"dev.sigstore.bundle.content\": \"message-signature\"}";

    private String push(String repository) {
        var pushed = app().push(repository, "1.0.0", "public", "# " + repository);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        return requireNonNull(pushed.as(VersionDetail.class).ociDigest());
    }

    private Reply refer(String repository, String subject, String type, String annotations) {
        pushBlob(repository, utf8("{}"));
        String empty = descriptor("application/vnd.oci.empty.v1+json", utf8("{}"));
        String json = """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"%s","config":%s,"layers":[%s],
                 "subject":{"mediaType":"%s","digest":"%s","size":7},"annotations":%s}""".formatted(
                        MediaType.IMAGE_MANIFEST, type, empty, empty, MediaType.IMAGE_MANIFEST, subject, annotations);
        var reply = pushManifest(
                repository, dev.sheaf.model.Digest.sha256(utf8(json)).toString(), json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private String signed(String repository) {
        return BundleClient.members(
                new BundleClient(app(), repository).resolve("^1"), "isSigned", "signerType", "signedAt");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a | application/vnd.cncf.notary.signature           | {}                                                                | true notation
            b | application/vnd.dev.cosign.artifact.sig.v1+json | {}                                                                | true cosign
            c | application/vnd.dev.sigstore.bundle.v0.3+json   | {"dev.sigstore.bundle.predicateType": "SIGN"}                     | true cosign
            d | application/vnd.dev.sigstore.bundle.v0.3+json   | {"dev.sigstore.bundle.content": "message-signature"}              | true cosign
            e | application/vnd.dev.sigstore.bundle.v0.3+json   | {"dev.sigstore.bundle.predicateType": "https://slsa.dev/provenance/v1"} | false null null
            f | application/vnd.dev.sigstore.bundle.v0.3+json   | {"a": "\\"dev.sigstore.bundle.content\\":\\"message-signature\\""}      | false null null
            g | application/vnd.dev.sigstore.bundle.v0.3+json   | {}                                                                | false null null
            h | application/vnd.example.sbom.v1                 | {}                                                                | false null null
            """)
    void aReferrerThatIsASignatureMakesAVersionSigned(String name, String type, String annotations, String expected) {
        String repository = "signed/" + name;
        String digest = push(repository);
        String before = signed(repository);

        refer(repository, digest, type, annotations.replace("SIGN", SIGN));

        assertThat(before).isEqualTo("false null null");
        assertThat(signed(repository)).startsWith(expected);
    }

    @Test
    void theFirstSignatureSaysWhenAndOneOfAnotherManifestNothing() {
        String other = push("first/other");
        String digest = push("first/kit");
        refer("first/kit", other, "application/vnd.cncf.notary.signature", "{}");
        assertThat(signed("first/kit")).isEqualTo("false null null");

        refer("first/kit", digest, "application/vnd.cncf.notary.signature", "{}");
        String first = signed("first/kit");
        pass(Duration.ofMinutes(1));
        refer("first/kit", digest, "application/vnd.dev.cosign.artifact.sig.v1+json", "{}");

        assertThat(first).startsWith("true notation 20");
        assertThat(signed("first/kit")).isEqualTo(first);
    }

    @Test
    void aSignatureThatIsDeletedIsGoneAtOnce() {
        String digest = push("gone/kit");
        String at = refer("gone/kit", digest, "application/vnd.cncf.notary.signature", "{}")
                .header("Location");
        assertThat(signed("gone/kit")).startsWith("true notation");

        assertThat(call("DELETE", at, null).status()).isEqualTo(202);

        assertThat(signed("gone/kit")).isEqualTo("false null null");
    }

    private int sql(String statement) {
        return app().database().write(tx -> tx.handle().execute(statement));
    }

    /// Whoever resolves would otherwise wait, and a node's memory pay, for as much as a stranger wrote there.
    @Test
    void resolvingReadsNoAnnotations() {
        String digest = push("unread/kit");
        refer("unread/kit", digest, BUNDLE, SIGNS);
        sql("UPDATE manifest SET annotations = NULL WHERE subject_digest = '" + digest + "'");

        assertThat(signed("unread/kit")).startsWith("true cosign 20");
    }

    @Test
    void aSignatureThatIsDamagedIsPassedOver() {
        String digest = push("damaged/kit");
        String first = refer("damaged/kit", digest, "application/vnd.cncf.notary.signature", "{}")
                .header("Docker-Content-Digest");
        pass(Duration.ofMinutes(1));
        refer("damaged/kit", digest, BUNDLE, SIGNS);
        sql("UPDATE manifest SET state = 'suspect' WHERE digest = '" + first + "'");

        assertThat(signed("damaged/kit")).startsWith("true cosign 20");
    }

    @Test
    void aSignatureCountsThatAnIndexUnderTheFallbackTagLists() {
        String digest = push("listed/kit");
        String other = push("listed/other");
        String json = refer("listed/kit", other, BUNDLE, SIGNS).header("Docker-Content-Digest");
        String index = """
                {"schemaVersion":2,"mediaType":"%s","manifests":[{"mediaType":"%s","digest":"%s","size":%d}]}""".formatted(
                MediaType.IMAGE_INDEX,
                MediaType.IMAGE_MANIFEST,
                json,
                call("GET", "/v2/listed/kit/manifests/" + json, null).response().body().length);

        var tagged = call(
                "PUT",
                "/v2/listed/kit/manifests/" + digest.replace(':', '-'),
                utf8(index),
                "Content-Type",
                MediaType.IMAGE_INDEX);

        assertThat(tagged.status()).as(tagged.text()).isEqualTo(201);
        assertThat(signed("listed/kit")).startsWith("true cosign 20");
    }

    /// Programs that knew no table of signatures have stored manifests, and may run beside this one.
    @Test
    void signaturesThatWereStoredBeforeAreFoundAtTheStart() {
        String digest = push("before/kit");
        refer("before/kit", digest, BUNDLE, "{\"a\": \"b\"}");
        pass(Duration.ofMinutes(1));
        refer("before/kit", digest, BUNDLE, SIGNS);
        sql("DELETE FROM signature WHERE subject_digest = '" + digest + "'");
        assertThat(signed("before/kit")).startsWith("false");

        Signatures.noteMissing(app().database());

        assertThat(BundleClient.members(new BundleClient(app(), "before/kit").resolve("1.0.0"), "isSigned"))
                .isEqualTo("true");
        assertThat(sql("DELETE FROM signature WHERE signer IS NULL AND subject_digest = '" + digest + "'"))
                .isEqualTo(1);
    }

    @Test
    void aVersionTellsAllItsAttestationsHoweverLongTheirAnnotationsAre() {
        String digest = push("attested/kit");
        for (String letter : new String[] {"a", "b", "c"}) {
            refer(
                    "attested/kit",
                    digest,
                    "application/vnd.example.sbom.v1",
                    "{\"" + letter + "\": \"" + "x".repeat(700_000) + "\"}");
        }

        var version = app().get("/v1/namespaces/attested/bundles/kit/versions/1.0.0", null)
                .as(VersionDetail.class);

        assertThat(version.attestations()).hasSize(3);
    }
}
