package dev.sheaf.server.bundle.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.publish.PublishRules.Pointers;
import dev.sheaf.server.bundle.publish.PublishRules.Violation;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What may stand against the content of a version by itself, and how it is told.
class ContentRulesTest {
    private static final Digest DIGEST = Digest.sha256(new byte[0]);
    private static final PublishRules RULES = new PublishRules(new BundleLimits(10, 15, 3));

    private static Asset asset(String path, long size) {
        return Asset.declared(LogicalPath.parse(path), null, DIGEST, size, "text/plain", false);
    }

    private static Descriptor descriptor(String mediaType) {
        return new Descriptor(mediaType, DIGEST, 0, Map.of(), false);
    }

    private static NewVersion.Content content(String config, List<Descriptor> manifests, Asset... assets) {
        var outline = new ManifestDocument.Outline(
                MediaType.IMAGE_MANIFEST, null, null, descriptor(config), List.of(), manifests, Map.of());
        return new NewVersion.Content(
                Version.parse("1.0.0"),
                List.of(assets),
                ManifestDocument.of(Digest.Algorithm.SHA256, new byte[0], outline),
                List.of());
    }

    private static List<Violation> ofBundle(Pointers pointers, Asset... assets) {
        return RULES.ofContent(content(MediaType.BUNDLE_CONFIG, List.of(), assets), pointers);
    }

    private static List<Violation> ofImage(Asset... assets) {
        return RULES.ofContent(content("application/vnd.oci.empty.v1+json", List.of(), assets), Pointers.MANIFEST);
    }

    private static List<FieldError> errors(List<Violation> violations) {
        return violations.stream()
                .flatMap(violation -> violation.errors("code").stream())
                .toList();
    }

    @Test
    void oneAssetIsEnough() {
        assertThat(ofBundle(Pointers.PUSH, asset("a", 0))).isEmpty();
    }

    @Test
    void nothingIsNoVersion() {
        assertThat(errors(ofBundle(Pointers.PUSH))).singleElement().satisfies(error -> {
            assertThat(error.pointer()).isEmpty();
            assertThat(error.code()).isEqualTo("range");
            assertThat(error.detail()).contains("nothing to publish");
        });
    }

    @Test
    void anIndexHasManifestsInPlaceOfAssets() {
        var index = content("x/y", List.of(descriptor(MediaType.IMAGE_MANIFEST)));

        assertThat(RULES.ofContent(index, Pointers.MANIFEST)).isEmpty();
    }

    @Test
    void asManyAssetsAsTheLimitFit() {
        assertThat(ofBundle(Pointers.PUSH, asset("a", 1), asset("b", 1), asset("c", 1)))
                .isEmpty();
    }

    @Test
    void oneAssetMoreThanTheLimitIsTooMany() {
        var violations = ofBundle(Pointers.PUSH, asset("a", 1), asset("b", 1), asset("c", 1), asset("d", 1));

        assertThat(errors(violations))
                .containsExactly(new FieldError("", "range", "a version has at most 3 assets; this one has 4"));
    }

    @Test
    void anAssetMayBeAsLargeAsTheLimit() {
        assertThat(ofBundle(Pointers.PUSH, asset("a", 10))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PUSH, /manifest/1", "MANIFEST, /layers/1", "WORKING, ''"})
    void aLargerAssetIsPointedTo(Pointers pointers, String pointer) {
        assertThat(ofBundle(pointers, asset("a", 1), asset("b", 11)))
                .containsExactly(new Violation(
                        pointer, new Problem.PayloadTooLarge("the asset b (max-asset-bytes)", 10, "bytes")));
    }

    @Test
    void aBundleMayBeAsLargeAsTheLimit() {
        assertThat(ofBundle(Pointers.PUSH, asset("a", 5), asset("b", 10))).isEmpty();
    }

    @Test
    void aLargerBundleIsRefusedAsAWhole() {
        assertThat(ofBundle(Pointers.PUSH, asset("a", 6), asset("b", 10)))
                .containsExactly(new Violation(
                        "", new Problem.PayloadTooLarge("the bundle's content (max-bundle-bytes)", 15, "bytes")));
    }

    @Test
    void theSizesOfAnImageAreNotABundles() {
        assertThat(ofImage(asset("a", 1_000))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PUSH, /manifest/2", "MANIFEST, /layers/2", "WORKING, ''"})
    void ofTwoAssetsAtOnePathTheSecondIsOneTooMany(Pointers pointers, String pointer) {
        var violations = ofBundle(pointers, asset("b", 1), asset("a", 1), asset("b", 1));

        assertThat(errors(violations)).singleElement().satisfies(error -> {
            assertThat(error.pointer()).isEqualTo(pointer);
            assertThat(error.code()).isEqualTo("duplicate");
        });
    }

    @Test
    void allThatIsWrongIsFound() {
        assertThat(ofBundle(Pointers.PUSH, asset("a", 11), asset("a", 12), asset("b", 0), asset("c", 0)))
                .extracting(Violation::pointer)
                .containsExactly("", "/manifest/1", "/manifest/0", "/manifest/1", "");
    }

    // --- how it is told ---

    private static final Violation NO_ROOM =
            new Violation("/manifest/3", new Problem.PayloadTooLarge("it", 7, "bytes"));

    private static Violation invalid(String pointer, String below) {
        return new Violation(
                pointer, new Problem.ValidationFailed(List.of(new FieldError(below, "pattern", "is odd"))));
    }

    private static Problem required(Violation... violations) {
        try {
            PublishRules.require(List.of(violations));
        } catch (ProblemException e) {
            return e.problem();
        }
        throw new AssertionError("nothing was refused");
    }

    @Test
    void whatBreaksNoRuleIsNotRefused() {
        assertThatCode(() -> PublishRules.require(List.of())).doesNotThrowAnyException();
    }

    @Test
    void errorsOfTheRequestAreToldTogetherAndOthersLater() {
        assertThat(required(invalid("/manifest/0", ""), NO_ROOM, invalid("/tags/1", "/x")))
                .isEqualTo(new Problem.ValidationFailed(List.of(
                        new FieldError("/manifest/0", "pattern", "is odd"),
                        new FieldError("/tags/1/x", "pattern", "is odd"))));
    }

    @Test
    void anotherProblemThatComesFirstIsToldAlone() {
        assertThat(required(NO_ROOM, invalid("/tags/1", ""))).isEqualTo(NO_ROOM.problem());
    }

    @Test
    void aProblemThatIsNoValidationHasTheCodeThatItIsGiven() {
        assertThat(NO_ROOM.errors("payload-too-large"))
                .containsExactly(new FieldError(
                        "/manifest/3", "payload-too-large", NO_ROOM.problem().detail()));
    }
}
