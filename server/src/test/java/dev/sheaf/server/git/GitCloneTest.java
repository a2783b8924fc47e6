package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Bundles as the git of this machine sees them.
class GitCloneTest extends GitScenario {
    @Override
    public void prepare() {
        publish("plain/kit", "1.0.0", Map.of("SKILL.md", "one", "bin/run.sh", "#!/bin/sh\n", "bin/größe.txt", "µ"));
        publish("plain/kit", "1.1.0", Map.of("SKILL.md", "two", "bin/run.sh", "#!/bin/sh\n"));
    }

    @Test
    void aCloneHasACommitAndATagForEachVersion() throws IOException {
        clone("plain/kit", "kit");

        assertThat(git("kit").run("log", "--format=%s by %an <%ae>"))
                .isEqualTo("1.1.0 by plain <plain@sheaf.invalid>\n1.0.0 by plain <plain@sheaf.invalid>\n");
        assertThat(git("kit").run("tag")).isEqualTo("1.0.0\n1.1.0\nplugin/1.0.0\nplugin/1.1.0\n");
        assertThat(git("kit").run("status", "-b", "--porcelain")).isEqualTo("## main...origin/main\n");
        assertThat(git("kit").run("fsck", "--strict")).doesNotContain("error", "warning");
        assertThat(read("kit/SKILL.md")).isEqualTo("two");
        assertThat(Files.isExecutable(folder().resolve("kit/bin/run.sh"))).isTrue();
        assertThat(Files.isExecutable(folder().resolve("kit/SKILL.md"))).isFalse();
    }

    @Test
    void aTagIsCheckedOut() throws IOException {
        clone("plain/kit", "old", "--branch", "1.0.0");

        assertThat(read("old/bin/größe.txt")).isEqualTo("µ");
        git("old").run("checkout", "1.1.0");
        assertThat(folder().resolve("old/bin/größe.txt")).doesNotExist();
    }

    @Test
    void bothVersionsOfTheProtocolTellTheSame() {
        var old = git().with("-c", "protocol.version=0").run("ls-remote", url("plain/kit"));
        var mine = git().with("-c", "protocol.version=2").run("ls-remote", url("plain/kit"));

        assertThat(old).isEqualTo(mine).contains("\tHEAD\n", "\trefs/heads/main\n", "\trefs/tags/1.0.0\n");
    }

    @Test
    void anOldClientClonesToo() throws IOException {
        git().with("-c", "protocol.version=0").run("clone", url("plain/kit"), "zero");

        assertThat(read("zero/SKILL.md")).isEqualTo("two");
        assertThat(git("zero").run("fsck", "--strict")).doesNotContain("error", "warning");
    }

    @Test
    void aShallowCloneIsDeepened() {
        clone("plain/kit", "shallow", "--depth", "1");
        assertThat(git("shallow").run("log", "--format=%s")).isEqualTo("1.1.0\n");

        git("shallow").run("fetch", "--unshallow");

        assertThat(git("shallow").run("log", "--format=%s")).isEqualTo("1.1.0\n1.0.0\n");
        assertThat(git("shallow").run("fsck", "--strict")).doesNotContain("error", "warning");
    }

    @Test
    void contentsAreLeftOutUntilTheyAreNeeded() throws IOException {
        for (String filter : new String[] {"blob:none", "blob:limit=2", "tree:0"}) {
            String name = filter.replace(':', '-');
            clone("plain/kit", name, "--filter=" + filter, "--no-checkout");
            assertThat(git(name).run("rev-list", "--objects", "--all", "--missing=print"))
                    .as(filter)
                    .contains("?");

            git(name).run("checkout", "main");

            assertThat(read(name + "/bin/run.sh")).as(filter).isEqualTo("#!/bin/sh\n");
        }
    }

    /// On both sides of each size from which on something is done in another way.
    @Test
    void contentsOfAllSizesComeAsTheyAre() throws IOException {
        var random = new Random(3);
        var files = new TreeMap<String, byte[]>();
        for (int size : new int[] {0, 1, 15, 16, 2_047, 2_048, 32 << 10, 256 << 10, 1 << 20}) {
            for (int more = 0; more < 2; more++) {
                var noise = new byte[size + more];
                random.nextBytes(noise);
                files.put("noise/" + noise.length, noise);
                files.put(
                        "text/" + noise.length,
                        "words and "
                                .repeat(noise.length / 10 + 1)
                                .substring(0, noise.length)
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
        publishBytes("plain/sizes", "1.0.0", "public", files);

        clone("plain/sizes", "sizes");
        git().with("-c", "protocol.version=0").run("clone", url("plain/sizes"), "sizes-zero");

        for (var file : files.entrySet()) {
            for (String into : new String[] {"sizes", "sizes-zero"}) {
                assertThat(folder().resolve(into).resolve(file.getKey())).hasBinaryContent(file.getValue());
            }
        }
    }

    @Test
    void whatIsPublishedLaterIsPulled() throws IOException {
        publish("plain/more", "1.0.0", Map.of("a.md", "a"));
        clone("plain/more", "more");
        clone("plain/more", "old");
        publish("plain/more", "1.0.1", Map.of("a.md", "a", "b.md", "b"));

        git().with("-c", "protocol.version=0", "-C", folder().resolve("old").toString())
                .run("pull");
        git("more").run("pull");

        assertThat(read("old/b.md")).isEqualTo("b");
        assertThat(read("more/b.md")).isEqualTo("b");
        assertThat(git("more").run("describe", "--tags", "--match=1*")).isEqualTo("1.0.1\n");
        assertThat(git("more").run("fsck", "--strict")).doesNotContain("error", "warning");
    }
}
