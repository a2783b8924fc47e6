package dev.sheaf.client.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.IgnoreRules.Verdict;
import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The content of `sheaf.yaml`, and its patterns.
class BundleFileTest {
    @Test
    void theSchemaNamesTheMembersThatAreRead() throws IOException {
        var schema = YamlNode.parse(Files.readString(Path.of("../docs/sheaf.schema.json")));

        assertThat(schema.member("properties").members().keySet())
                .containsExactlyInAnyOrderElementsOf(BundleFileReader.MEMBERS);
    }

    @ParameterizedTest
    @CsvSource({
        "*.md, a.md, true",
        "*.md, a/b.md, true",
        "/*.md, a/b.md, false",
        "skills/**, skills/a/b, true",
        "skills/**, x/skills/a, false",
        "skills/, skills/a, true",
        "skills/, skills, false",
        "skills, x/skills/a, true",
        "a/**/b, a/b, true",
        "a/**/b, a/x/y/b, true",
        "**/b, b, true",
        "a?c, abc, true",
        "a?c, a/c, false",
        "[a-c].txt, b.txt, true",
        "[!a-c].txt, b.txt, false",
        "a.b, axb, false",
        "'\\*', '*', true",
        "'\\*', x, false"
    })
    void patterns(String glob, String path, boolean matches) {
        assertThat(Glob.of(glob).matches(path)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[z-a].md", "[!]", "a/[b-\\]"})
    void bracketsThatMeanNothingAreRefused(String glob) {
        assertThatThrownBy(() -> Glob.of(glob))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("brackets");

        var reader = new BundleFileReader(null);
        reader.read("namespace: acme\nslug: kit\nversion: 1.0.0\nassets:\n  - '" + glob + "'\n");
        assertThat(reader.findings()).hasSize(1).allMatch(finding -> finding.line() == 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "./", "a/.."})
    void theFolderMayBeTheWorkingDirectory(String folder) {
        assertThat(BundleSource.inside(Path.of(folder), "docs/about.md"))
                .isEqualTo(Path.of("docs/about.md").toAbsolutePath());
    }

    @ParameterizedTest
    @ValueSource(strings = {"../about.md", "docs/../../about.md", "/etc/hostname", "a\0b"})
    void whatIsNamedStaysInTheFolder(String path) {
        assertThatThrownBy(() -> BundleSource.inside(Path.of(""), path))
                .isInstanceOf(SheafException.InvalidRequest.class);
    }

    @Test
    void theLastRuleThatMatchesDecides() {
        var rules = IgnoreRules.parse(List.of("# remark", "", "*.log", "!keep.log", "tmp/"));

        assertThat(rules.judge("a.log")).isEqualTo(Verdict.LEFT_OUT);
        assertThat(rules.judge("keep.log")).isEqualTo(Verdict.TAKEN_IN);
        assertThat(rules.judge("tmp/keep.log")).isEqualTo(Verdict.LEFT_OUT);
        assertThat(rules.judge("tmp/")).isEqualTo(Verdict.LEFT_OUT);
        assertThat(rules.judge("a.txt")).isEqualTo(Verdict.SILENT);
    }

    @Test
    void deepNestingAndRepeatedMembersAreErrorsOfTheFile() {
        var reader = new BundleFileReader(null);

        assertThat(reader.read("a: " + "[".repeat(100_000))).isNull();
        assertThat(reader.read("slug: a\nslug: b\n")).isNull();
        assertThat(reader.read("")).isNull();

        assertThat(reader.findings()).hasSize(3).allMatch(finding -> finding.line() > 0);
        assertThat(reader.findings().get(1).toString()).isEqualTo("sheaf.yaml:2: \"slug\" appears twice");
    }
}
