package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Versions that git would refuse are not given to it, and the others are as if these were not there.
class GitLeftOutTest extends GitScenario {
    private static final Map<String, String> GOOD = Map.of("SKILL.md", "good");

    @Test
    void aVersionThatGitRefusesIsLeftOut() {
        publish("left/kit", "1.0.0", GOOD);
        var said = publish("left/kit", "1.1.0", Map.of("SKILL.md", "bad", ".gitmodules", "[submodule \"x\"]\n"));
        publish("left/kit", "1.2.0", Map.of("SKILL.md", "good again"));
        publish("left/kit", "1.3.0", Map.of("a/.gitattributes", "* " + "x".repeat(3_000)));

        clone("left/kit", "kit");

        assertThat(said.json().get("warnings").toString()).contains("not-in-git", "is .gitmodules for git");
        assertThat(git("kit").run("log", "--format=%s")).isEqualTo("1.2.0\n1.0.0\n");
        assertThat(git("kit").run("tag")).isEqualTo("1.0.0\n1.2.0\nplugin/1.0.0\nplugin/1.2.0\n");
        assertThat(git("kit").run("fsck", "--strict")).doesNotContain("error", "warning");
    }

    @Test
    void oddNamesAreTakenByGit() {
        var files = new TreeMap<String, String>();
        for (String name : List.of(
                "-rf",
                "--help",
                "a b.md",
                "größe/µ.txt",
                "日本語/説明.md",
                "😀.md",
                "a'b$(x)`y`.md",
                "gitmodules",
                ".gitignore",
                ".gitattributes",
                ".github/x.yml",
                "a/b/c/d/e/f/g/h.md",
                "a-b",
                "a.b",
                "a/b.c",
                "a0",
                "x/" + "n".repeat(240) + ".md",
                "~",
                "a~1",
                "[x]{y}.md",
                "!important",
                "(a) & b;c.md")) {
            files.put(name, name);
        }
        publish("left/odd", "1.0.0", files);

        clone("left/odd", "odd");

        assertThat(git("odd").run("fsck", "--strict")).doesNotContain("error", "warning");
        assertThat(git("odd").run("ls-files", "-z").split("\0")).containsExactlyInAnyOrderElementsOf(files.keySet());
        assertThat(git("odd").run("status", "--porcelain")).isEmpty();
    }
}
