package dev.sheaf.server.bundle.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What the checks of content notice, and what they let pass.
class ContentChecksTest {
    private static final String MIXED = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ0bC2dF4hJ6kL8nP0rS2tV4xY6zA8cE1gI3";
    private static final String UPPER = "Q7W3E5R2T6Y4U5I7";

    private final ContentChecks checks = new ContentChecks(Json::isDocument, new CpuPool(2));

    private List<ContentChecks.Warning> warnings(String path, byte[] bytes) {
        var parsed = LogicalPath.parse(path);
        return checks.of(parsed, MediaType.infer(parsed), bytes);
    }

    /// Without that of files that are not text, which has a test of its own.
    private List<String> codes(String path, byte[] bytes) {
        return warnings(path, bytes).stream()
                .map(ContentChecks.Warning::code)
                .filter(code -> !code.equals(ContentChecks.BINARY))
                .toList();
    }

    @Test
    void filesThatAreNotTextAreFoundOncePerVersion() {
        byte[] binary = latin("\0\1\2\u00FF");
        assertThat(warnings("data", binary))
                .extracting(ContentChecks.Warning::code)
                .containsExactly("binary");
        assertThat(warnings("text", "Größe".getBytes(StandardCharsets.UTF_8))).isEmpty();
        var path = LogicalPath.parse("large");
        byte[] start = Arrays.copyOf("Größe".getBytes(StandardCharsets.UTF_8), 3); // ends within a character
        assertThat(checks.of(new ContentChecks.Sample(path, "text/plain", start, false)))
                .isEmpty();
        assertThat(checks.of(new ContentChecks.Sample(path, "application/octet-stream", binary, false)))
                .hasSize(1);

        var several = Stream.of("a", "b", "c")
                .flatMap(name -> warnings(name, binary).stream())
                .toList();

        assertThat(ContentChecks.ofVersion(several)).singleElement().satisfies(warning -> {
            assertThat(warning.path()).isEqualTo(LogicalPath.parse("a"));
            assertThat(warning.detail()).contains("409", "sheaf pull", "2 other files");
        });
    }

    private List<String> codes(String path, String text) {
        return codes(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] latin(String bytes) {
        return bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void plainContentPasses() {
        assertThat(codes("a.md", "# Größe\r\n\tnaïve \u2014 \uD83D\uDE00\n")).isEmpty();
        assertThat(codes("a.json", "{\"a\": [1, null]}")).isEmpty();
        assertThat(codes("run.sh", "#!/bin/sh\nexit 0\n")).isEmpty();
        assertThat(codes("run", "#!/usr/bin/env python3\n")).isEmpty();
        assertThat(codes("a.png", latin("\u0089PNG\r\n\u001A\n\0\0\0\rIHDR"))).isEmpty();
        assertThat(codes("data", latin("\0\1\2\u00FF"))).isEmpty();
        assertThat(codes("a.md", "")).isEmpty();
        assertThat(codes("a.md", "\uFEFFwith a byte order mark")).isEmpty();
        assertThat(codes("notes.txt", "PK is how zips begin, MZ how programs do"))
                .isEmpty();
    }

    @Test
    void whatGitWouldRefuseIsNamed() {
        for (String path : List.of(".gitmodules", "a/.GITMODULES", "gitmod~1")) {
            assertThat(codes(path, "x")).as(path).containsExactly("not-in-git");
        }
        assertThat(codes(".gitattributes", "*.md text\n".repeat(1_000))).isEmpty();
        assertThat(codes(".gitattributes", "a\n" + "x".repeat(2_047) + "\n")).isEmpty();
        assertThat(codes("a/.gitattributes", "a\n" + "x".repeat(2_048))).containsExactly("not-in-git");
        assertThat(codes(".gitattributes", "a\n".repeat(1 << 20))).containsExactly("not-in-git");
        assertThat(codes("a/gitmodules", "x".repeat(3_000))).isEmpty();
    }

    @Test
    void othersDoNotPushOutWhatRunsByItself() {
        var others =
                Collections.nCopies(300, new ContentChecks.Warning(LogicalPath.parse("a"), "control-character", ""));
        var runs = new ContentChecks.Warning(LogicalPath.parse("z/SKILL.md"), SkillChecks.RUNS, "");

        assertThat(ContentChecks.bounded(
                        Stream.concat(others.stream(), Stream.of(runs)).toList()))
                .hasSize(200)
                .startsWith(runs);
    }

    @ParameterizedTest
    @CsvSource({
        "FFFD, replacement-character",
        "0000, nul-character",
        "001B, control-character",
        "0008, control-character",
        "009B, control-character",
        "007F, control-character",
        "202A, bidirectional-control",
        "202E, bidirectional-control",
        "2066, bidirectional-control",
        "2069, bidirectional-control",
        "200B, invisible-character",
        "200E, invisible-character",
        "2060, invisible-character",
        "00AD, invisible-character",
        "3164, invisible-character",
        "FEFF, invisible-character",
        "E0041, invisible-character",
        "E0101, invisible-character",
        "200D, invisible-character"
    })
    void charactersThatReadersDoNotSeeAreNamedWithTheirLine(String hex, String code) {
        int c = Integer.parseInt(hex, 16);

        var found = warnings("a.md", ("one\ntwo a" + Character.toString(c) + "b\n").getBytes(StandardCharsets.UTF_8));

        assertThat(found).extracting(ContentChecks.Warning::code).containsExactly(code);
        assertThat(found.getFirst().detail()).contains("U+%04X at line 2".formatted(c));
    }

    @Test
    void whatScriptsAndEmojiNeedIsNotInvisible() {
        String family = "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67";
        String heart = "\u2764\uFE0F";
        String scotland = new StringBuilder()
                .appendCodePoint(0x1F3F4)
                .appendCodePoint(0xE0067)
                .appendCodePoint(0xE0062)
                .appendCodePoint(0xE007F)
                .toString();
        String persian = "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645";

        assertThat(codes("a.md", family + heart + scotland + persian)).isEmpty();
    }

    @Test
    void manyOfOneKindAreOneWarning() {
        var found = warnings("a.md", "\u202E\u200B".repeat(10_000).getBytes(StandardCharsets.UTF_8));

        assertThat(found)
                .hasSize(2)
                .allSatisfy(warning ->
                        assertThat(warning.detail()).contains("10000 in total").hasSizeLessThan(200));
    }

    static Stream<Arguments> secrets() {
        String forty = MIXED.substring(0, 40);
        return Stream.of(
                Arguments.of("AKIA" + UPPER, "AKIA" + UPPER.substring(1)),
                Arguments.of("ASIA" + UPPER, "XASIA" + UPPER),
                Arguments.of("AKIA" + UPPER, "AKIAIOSFODNN7" + "EXAMPLE"),
                Arguments.of("ghp_" + MIXED.substring(0, 36), "ghp_" + MIXED.substring(0, 35)),
                Arguments.of("gho_" + MIXED.substring(0, 36), "gho_" + "x".repeat(36)),
                Arguments.of("ghs_" + MIXED.substring(0, 36), "aghs_" + MIXED.substring(0, 36)),
                Arguments.of("github_pat_" + MIXED + MIXED.substring(0, 22), "github_pat_" + MIXED),
                Arguments.of("glpat-" + MIXED.substring(0, 20), "glpat-" + MIXED.substring(0, 19)),
                Arguments.of("glrt-" + MIXED.substring(0, 20), "glrt-short"),
                Arguments.of(
                        "xoxb-123456789012-1234567890123-" + MIXED.substring(0, 24),
                        "xoxb-your-token-goes-here-please"),
                Arguments.of("xoxp-123456789012-" + MIXED.substring(0, 24), "xoxp-1234"),
                Arguments.of("sk_live_" + MIXED.substring(0, 24), "sk_live_" + MIXED.substring(0, 23)),
                Arguments.of("rk_live_" + MIXED.substring(0, 24), "pk_live_" + MIXED.substring(0, 24)),
                Arguments.of("AIza" + MIXED.substring(0, 35), "AIza" + MIXED.substring(0, 36)),
                Arguments.of("GOCSPX-" + MIXED.substring(0, 28), "GOCSPX-" + MIXED.substring(0, 27)),
                Arguments.of("npm_" + MIXED.substring(0, 36), "npm_config_registry"),
                Arguments.of("pypi-AgEIcHlwaS5vcmc" + MIXED, "pypi-AgEIcHlwaS5vcmc" + forty),
                Arguments.of("sk-ant-api03-" + MIXED + MIXED, "sk-ant-api03-" + forty),
                Arguments.of("sk-proj-" + MIXED, "sk-proj-" + "0".repeat(60)),
                Arguments.of("hf_" + MIXED.substring(0, 34), "hf_" + MIXED.substring(0, 33)),
                Arguments.of("-----BEGIN RSA PRIVATE " + "KEY-----\n" + forty, "-----BEGIN PUBLIC KEY-----\n" + forty),
                Arguments.of(
                        "-----BEGIN OPENSSH PRIVATE " + "KEY-----\\n" + forty,
                        "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----"),
                Arguments.of(
                        "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\nVersion: 1\n\n" + forty,
                        "-----BEGIN CERTIFICATE-----\n" + forty));
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void secretsAreFoundByTheirFormatAndNotShown(String hit, String nearMiss) {
        var found = warnings("a.md", ("\n\nkey: \"" + hit + "\",\n").getBytes(StandardCharsets.UTF_8));

        assertThat(found).extracting(ContentChecks.Warning::code).containsExactly("probable-secret");
        assertThat(found.getFirst().detail())
                .startsWith("line 3 contains what looks like")
                .contains(hit.substring(0, 4));
        assertThat(found.getFirst().detail()).doesNotContain(hit.substring(hit.length() - 8));
        assertThat(codes("a.md", "key: \"" + nearMiss + "\"")).isEmpty();
    }

    @Test
    void ourOwnKeysAreKnownByTheirChecksum() {
        String key = KeyFormat.generate().expose();
        String mistyped = key.substring(0, 39) + (key.charAt(39) == 'a' ? 'b' : 'a');

        assertThat(codes("a.yaml", "key: " + key)).containsExactly("probable-secret");
        assertThat(codes("a.yaml", "key: " + mistyped)).isEmpty();
        assertThat(codes("notes.bin", latin("\u00FF " + key))).containsExactly("probable-secret");
    }

    @Test
    void programsAreFoundWhateverTheyAreCalled() {
        var windows = new byte[128];
        windows[0] = 'M';
        windows[1] = 'Z';
        windows[0x3C] = 100;
        windows[100] = 'P';
        windows[101] = 'E';

        assertThat(codes("run", latin("\u007FELF\2\1\1\0"))).containsExactly("executable");
        assertThat(codes("run.exe", windows)).containsExactly("executable");
        assertThat(codes("run", latin("\u00CF\u00FA\u00ED\u00FE\0\0\0\0"))).containsExactly("executable");
        assertThat(codes("run", latin("\u00CA\u00FE\u00BA\u00BE\0\0\0\2"))).containsExactly("executable");
        assertThat(codes("A.class", latin("\u00CA\u00FE\u00BA\u00BE\0\0\0\u0041")))
                .containsExactly("executable");
        assertThat(codes("README.md", "#!/bin/sh\nrm -rf /\n")).containsExactly("executable");
        assertThat(codes("short", latin("MZ"))).isEmpty();
        windows[0x3F] = (byte) 0xFF;
        assertThat(codes("run.exe", windows)).as("a header outside of the file").isEmpty();
    }

    @Test
    void contentThatIsNotWhatItIsSaidToBeIsFound() {
        byte[] png = latin("\u0089PNG\r\n\u001A\n\0\0\0\rIHDR");

        assertThat(codes("a.png", "no picture")).containsExactly("media-type-mismatch");
        assertThat(codes("a.jpg", png)).containsExactly("media-type-mismatch");
        assertThat(warnings("a.jpg", png).getFirst().detail()).contains("image/png");
        assertThat(codes("a.md", png)).containsExactly("media-type-mismatch", "not-utf8");
        assertThat(codes("a.pdf", "%PDF-1.7")).isEmpty();
        assertThat(codes("a.gif", "GIF89a")).isEmpty();
        assertThat(codes("a.gif", "GIF89a\uFFFD\uFFFD\0")).containsExactly("replacement-character");
        assertThat(codes("a.pdf", "%PDF-1.7\n%\uFFFD\uFFFD")).containsExactly("replacement-character");
        assertThat(codes("a.zip", "PK\3\4\uFFFD")).containsExactly("replacement-character");
        assertThat(codes("a.zip", latin("PK\3\4"))).isEmpty();
        assertThat(codes("a.gz", latin("PK\3\4"))).containsExactly("media-type-mismatch");
        assertThat(codes("a.md", latin("caf\u00E9"))).containsExactly("not-utf8");
        assertThat(checks.of(LogicalPath.parse("l"), "application/vnd.oci.image.layer.v1.tar+gzip", latin("tar")))
                .extracting(ContentChecks.Warning::code)
                .containsExactly("media-type-mismatch");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a": 1,}
            {"a": 1} {"b": 2}
            {"a": 1, "a": 2}
            {'a': 1}
            nonsense
            """)
    void jsonThatDoesNotParseIsFound(String text) {
        assertThat(codes("a.json", text)).containsExactly("json-invalid");
        assertThat(codes("a.txt", text)).isEmpty();
    }

    @Test
    void hostileContentIsFoundOutOnceAndNotByEveryRepeat() {
        String deep = "[".repeat(1 << 20);
        String secrets = "AKIA".repeat(1 << 18) + "github_pat_".repeat(1 << 16) + "-----BEGIN ".repeat(1 << 16);
        String tokens = ("ghp_" + MIXED.substring(0, 36) + "\n").repeat(20_000);

        var found = Stream.of(deep, secrets, tokens, "-----BEGIN PRIVATE " + "KEY".repeat(1 << 18))
                .flatMap(text -> warnings("a.json", text.getBytes(StandardCharsets.UTF_8)).stream())
                .toList();

        assertThat(found).hasSizeLessThan(40);
    }

    @Test
    void aVersionHasABoundedNumberOfWarnings() {
        var one = new ContentChecks.Warning(LogicalPath.parse("a"), "c", "d");

        assertThat(ContentChecks.bounded(Collections.nCopies(200, one))).hasSize(200);
        var cut = ContentChecks.bounded(Collections.nCopies(5_000, one));
        assertThat(cut).hasSize(200);
        assertThat(cut.getLast().code()).isEqualTo("more");
        assertThat(cut.getLast().detail()).contains("4801 more");
    }
}
