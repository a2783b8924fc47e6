package dev.sheaf.model.oci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Gen;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The golden files were written by golden.py beside them, not by this code. They are the contract: a change of a
/// single byte would change every digest that users have pinned.
class OciPackagingTest {
    private static final RepositoryName REPOSITORY = RepositoryName.parse("acme/java-kit");
    private static final List<OciPackaging.Asset> ASSETS = List.of(
            asset("skills/größe/👍.md", AssetType.SKILL, "# Größe 👍\n", "text/markdown"),
            asset("config/\"quoted\".json", AssetType.CONFIG, "{}", "application/json"),
            asset("Ａ.bin", AssetType.OTHER, "", "application/octet-stream"),
            asset("agents/debian.agent.md", AssetType.AGENT_SPEC, "agent\n", "text/markdown"));

    @Test
    void writesTheGoldenConfigAndManifest() throws IOException {
        var packed = golden(ASSETS);

        assertThat(text(packed.config())).isEqualTo(resource("config.json"));
        assertThat(text(packed.manifest())).isEqualTo(resource("manifest.json"));
    }

    @Test
    void hasTheGoldenDigests() {
        var packed = golden(ASSETS);

        assertThat(packed.config().digest())
                .hasToString("sha256:ff5ff120b485fee2b2deaf2ab2c119db17299b86057c003163fa968b85c1f264");
        assertThat(packed.manifest().digest())
                .hasToString("sha256:29053c403f04254dd4221d5d6deaf3e86dc2be5f552e89a296ad66e5682bcb17");
    }

    @Test
    void aLayerSaysThatItsFileIsExecutableAndTheConfigDoesNot() throws IOException {
        var executable = ASSETS.stream()
                .map(asset -> asset.path().value().equals("agents/debian.agent.md") ? executable(asset) : asset)
                .toList();

        var packed = golden(executable);

        assertThat(text(packed.config())).isEqualTo(resource("config.json"));
        assertThat(text(packed.manifest())).isEqualTo(resource("manifest-executable.json"));
        assertThat(packed.manifest().digest())
                .hasToString("sha256:31357607c25d52904524063a97c14fb998b2fa6f89e85f99a630d46eb4155077");
        assertThat(text(packed.withoutModes().manifest())).isEqualTo(resource("manifest.json"));
    }

    @Test
    void theSameBytesMayBeExecutableUnderOneNameAndNotUnderAnother() {
        var plain = asset("a.sh", AssetType.OTHER, "#!/bin/sh\n", "text/x-sh");
        var other = executable(asset("b.sh", AssetType.OTHER, "#!/bin/sh\n", "text/x-sh"));

        String manifest = text(golden(List.of(plain, other)).manifest());

        assertThat(manifest)
                .contains("{\"org.opencontainers.image.title\":\"a.sh\"}")
                .contains("{\"dev.sheaf.asset.executable\":\"true\",\"org.opencontainers.image.title\":\"b.sh\"}");
    }

    private static OciPackaging.Asset executable(OciPackaging.Asset asset) {
        return new OciPackaging.Asset(
                asset.path(), asset.type(), asset.digest(), asset.size(), asset.mediaType(), true);
    }

    @Test
    void doesNotDependOnTheOrderOfAssets() {
        var expected = golden(ASSETS).manifest().digest();

        Gen.forAll(50, gen -> {
            var shuffled = new ArrayList<>(ASSETS);
            Collections.shuffle(shuffled, new Random(gen.number(0, Integer.MAX_VALUE - 1)));
            assertThat(golden(shuffled).manifest().digest()).isEqualTo(expected);
        });
    }

    @Test
    void leavesOutADescriptionThatIsNotThere() {
        var packed = OciPackaging.of(REPOSITORY, Version.parse("1.0.0"), "n", null, List.of(), List.of());

        assertThat(text(packed.config()))
                .isEqualTo(
                        "{\"namespace\":\"acme\",\"slug\":\"java-kit\",\"version\":\"1.0.0\",\"name\":\"n\",\"assets\":[]}");
    }

    /// The member comes after the assets, sorted by name; a version without requirements keeps its earlier digest.
    @Test
    void listsRequirementsByNameAfterTheAssets() {
        var requires = List.of(
                new Requirement(RepositoryName.parse("acme/zoo"), ">=1.0 <3", true),
                new Requirement(RepositoryName.parse("acme/lib"), "^1.2", false));

        var packed = OciPackaging.of(REPOSITORY, Version.parse("1.0.0"), "n", null, List.of(), requires);

        assertThat(text(packed.config()))
                .isEqualTo("{\"namespace\":\"acme\",\"slug\":\"java-kit\",\"version\":\"1.0.0\",\"name\":\"n\","
                        + "\"assets\":[],\"requires\":[{\"bundle\":\"acme/lib\",\"range\":\"^1.2\"},"
                        + "{\"bundle\":\"acme/zoo\",\"range\":\">=1.0 <3\",\"optional\":true}]}");
    }

    @Test
    void changesWithEveryPartOfAnAsset() {
        var base = asset("a.md", AssetType.SKILL, "a", "text/markdown");

        assertThat(List.of(
                        base,
                        asset("b.md", AssetType.SKILL, "a", "text/markdown"),
                        asset("a.md", AssetType.PROMPT, "a", "text/markdown"),
                        asset("a.md", AssetType.SKILL, "b", "text/markdown"),
                        asset("a.md", AssetType.SKILL, "a", "text/plain")))
                .extracting(asset -> golden(List.of(asset)).manifest().digest())
                .doesNotHaveDuplicates();
    }

    /// RFC 8785, section 3.2.2.2.
    @Test
    void escapesQuotesBackslashesAndControlsAndNothingElse() {
        String all = "\"\\/\b\t\n\f\r\u0000\u001F\u007F\u2028é👍";

        var packed = OciPackaging.of(REPOSITORY, Version.parse("1.0.0"), all, null, List.of(), List.of());

        assertThat(text(packed.config()))
                .contains("\"name\":\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u007F\u2028é👍\"");
    }

    private static OciPackaging golden(List<OciPackaging.Asset> assets) {
        return OciPackaging.of(
                REPOSITORY,
                Version.parse("1.2.0-rc.1+b7"),
                "Java \"Kit\"",
                "Zeile 1\nZeile 2\t\\ 👍",
                assets,
                List.of());
    }

    private static OciPackaging.Asset asset(String path, AssetType type, String content, String mediaType) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return new OciPackaging.Asset(
                new LogicalPath(path), type, Digest.sha256(bytes), bytes.length, mediaType, false);
    }

    private static String text(OciPackaging.Document document) {
        return new String(document.bytes(), StandardCharsets.UTF_8);
    }

    private static String resource(String name) throws IOException {
        try (var in = Objects.requireNonNull(OciPackagingTest.class.getResourceAsStream("/golden/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
