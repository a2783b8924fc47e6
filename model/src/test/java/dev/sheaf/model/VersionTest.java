package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTest {
    /// The examples of the specification (https://semver.org, FAQ: regex101 of the suggested expression).
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.4",
                "1.2.3",
                "10.20.30",
                "1.1.2-prerelease+meta",
                "1.1.2+meta",
                "1.1.2+meta-valid",
                "1.0.0-alpha",
                "1.0.0-beta",
                "1.0.0-alpha.beta",
                "1.0.0-alpha.beta.1",
                "1.0.0-alpha.1",
                "1.0.0-alpha0.valid",
                "1.0.0-alpha.0valid",
                "1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay",
                "1.0.0-rc.1+build.1",
                "2.0.0-rc.1+build.123",
                "1.2.3-beta",
                "10.2.3-DEV-SNAPSHOT",
                "1.2.3-SNAPSHOT-123",
                "1.0.0",
                "2.0.0",
                "1.1.7",
                "2.0.0+build.1848",
                "2.0.1-alpha.1227",
                "1.0.0-alpha+beta",
                "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
                "1.2.3----R-S.12.9.1--.12+meta",
                "1.2.3----RC-SNAPSHOT.12.9.1--.12",
                "1.0.0+0.build.1-rc.10000aaa-kk-0.1",
                "99999999999999999999999.999999999999999999.99999999999999999",
                "1.0.0-0A.is.legal"
            })
    void readsEveryValidExampleAndSpellsItTheSame(String text) {
        var version = Version.parse(text);

        assertThat(version).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2",
                "1.2.3-0123",
                "1.2.3-0123.0123",
                "1.1.2+.123",
                "+invalid",
                "-invalid",
                "-invalid+invalid",
                "-invalid.01",
                "alpha",
                "alpha.beta",
                "alpha.beta.1",
                "alpha.1",
                "alpha+beta",
                "alpha_beta",
                "alpha.",
                "alpha..",
                "beta",
                "1.0.0-alpha_beta",
                "-alpha.",
                "1.0.0-alpha..",
                "1.0.0-alpha..1",
                "1.0.0-alpha...1",
                "1.0.0-alpha....1",
                "01.1.1",
                "1.01.1",
                "1.1.01",
                "1.2.3.DEV",
                "1.2-SNAPSHOT",
                "1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788",
                "1.2-RC-SNAPSHOT",
                "-1.0.3-gamma+b7718",
                "+justmeta",
                "9.8.7+meta+meta",
                "9.8.7-whatever+meta+meta",
                "99999999999999999999999.999999999999999999.99999999999999999----RC-SNAPSHOT.12.09.1-------------------------------..12",
                "v1.2.3",
                " 1.2.3",
                "1.2.3\n",
                "1.2.3-",
                "1.2.3+",
                "1.2.٣"
            })
    void refusesEveryInvalidExample(String text) {
        var error = refusal(() -> Version.parse(text));

        assertThat(error.code()).isEqualTo("format");
        assertThat(Version.find(text)).isEmpty();
    }

    @Test
    void takes128CharactersAndNotOneMore() {
        String longest = "1.2.3-" + "a".repeat(122);

        assertThat(Version.parse(longest)).hasToString(longest);
        assertThat(refusal(() -> Version.parse(longest + "a")).code()).isEqualTo("too-long");
        assertThat(Version.find(longest + "a")).isEmpty();
    }

    @Test
    void cannotBeBuiltFromPartsThatNoTextSpells() {
        List<String> none = List.of();

        assertThat(refusal(() -> new Version("01", "0", "0", none, none)).code())
                .isEqualTo("format");
        assertThat(refusal(() -> new Version("1", "", "0", none, none)).code()).isEqualTo("format");
        assertThat(refusal(() -> new Version("1", "0", "x", none, none)).code()).isEqualTo("format");
        assertThat(refusal(() -> new Version("1", "0", "0", List.of("a.b"), none))
                        .code())
                .isEqualTo("format");
        assertThat(refusal(() -> new Version("1", "0", "0", List.of("01"), none))
                        .code())
                .isEqualTo("format");
        assertThat(refusal(() -> new Version("1", "0", "0", none, List.of(""))).code())
                .isEqualTo("format");
    }

    /// Section 11: items 2, 3 and the example of item 4.
    @Test
    void sortsTheExamplesOfTheSpecification() {
        var rising = versions(
                "1.0.0-alpha",
                "1.0.0-alpha.1",
                "1.0.0-alpha.beta",
                "1.0.0-beta",
                "1.0.0-beta.2",
                "1.0.0-beta.11",
                "1.0.0-rc.1",
                "1.0.0",
                "2.0.0",
                "2.1.0",
                "2.1.1",
                "9.0.0",
                "10.0.0",
                "99999999999999999999.0.0",
                "100000000000000000000.0.0");
        var shuffled = new ArrayList<>(rising);
        Collections.shuffle(shuffled, new Random(1));

        shuffled.sort(null);

        assertThat(shuffled).isEqualTo(rising);
    }

    @Test
    void leavesBuildMetadataOutOfPrecedenceButNotOutOfIdentity() {
        var plain = Version.parse("1.0.0-rc.1");
        var built = Version.parse("1.0.0-rc.1+sha.5114f85");

        assertThat(built).isEqualByComparingTo(plain).isNotEqualTo(plain);
        assertThat(built.precedence()).isEqualTo(plain.precedence()).isEqualTo("1.0.0-rc.1");
        assertThat(built.sortKey()).isEqualTo(plain.sortKey());
        assertThat(built.build()).containsExactly("sha", "5114f85");
    }

    @Test
    void sortsKeysByBytesAsSection11SortsVersions() {
        Gen.forAll(20_000, gen -> {
            String a = Section11.text(gen);
            String b = gen.chance(0.7) ? mutated(gen, a) : Section11.text(gen);

            int byKey = Integer.signum(Arrays.compareUnsigned(key(a), key(b)));

            assertThat(byKey).as("%s against %s", a, b).isEqualTo(Section11.compare(a, b));
            assertThat(Integer.signum(Version.parse(a).compareTo(Version.parse(b))))
                    .isEqualTo(byKey);
        });
    }

    @Test
    void survivesTheWayThroughAnOciTag() {
        Gen.forAll(5_000, gen -> {
            var version = Version.parse(Section11.text(gen));

            String tag = version.ociTag();

            assertThat(tag).matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
            assertThat(Version.ofOciTag(tag)).contains(version);
        });
    }

    @Test
    void readsNoVersionFromOtherTags() {
        assertThat(Version.ofOciTag("latest")).isEmpty();
        assertThat(Version.ofOciTag("1.2.3_a_b")).isEmpty();
        assertThat(Version.ofOciTag("1.2")).isEmpty();
    }

    /// Changes one character, if the result is still a version.
    private static String mutated(Gen gen, String text) {
        var changed = new StringBuilder(text);
        changed.setCharAt(
                gen.number(0, text.length() - 1),
                gen.text(Section11.ALPHANUMERIC + ".", 1, 1).charAt(0));
        return Version.find(changed.toString()).isPresent() ? changed.toString() : Section11.text(gen);
    }

    private static byte[] key(String text) {
        return Version.parse(text).sortKey().getBytes(StandardCharsets.UTF_8);
    }

    private static List<Version> versions(String... texts) {
        return Arrays.stream(texts).map(Version::parse).toList();
    }
}
