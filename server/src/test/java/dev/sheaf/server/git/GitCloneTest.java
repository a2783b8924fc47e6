package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
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
        assertThat(git("kit").run("tag")).isEqualTo("1.0.0\n1.1.0\nlatest\n");
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

    @Test
    void whatIsPublishedLaterIsPulled() throws IOException {
        publish("plain/more", "1.0.0", Map.of("a.md", "a"));
        clone("plain/more", "more");
        publish("plain/more", "1.0.1", Map.of("a.md", "a", "b.md", "b"));

        git("more").run("pull");

        assertThat(read("more/b.md")).isEqualTo("b");
        assertThat(git("more").run("describe", "--tags", "--match=1*")).isEqualTo("1.0.1\n");
        assertThat(git("more").run("fsck", "--strict")).doesNotContain("error", "warning");
    }
}
