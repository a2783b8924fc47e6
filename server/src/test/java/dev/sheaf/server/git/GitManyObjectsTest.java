package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A repository of more objects than there is memory taken for at first.
class GitManyObjectsTest extends GitScenario {
    private static final int FILES = 1_900;
    private static final int DEEP = 10;

    /// All have the same content. No two folders are the same, so there is a tree for each.
    private static String path(int file) {
        return file + "/d".repeat(DEEP) + "/page" + file + ".md";
    }

    @Test
    void allOfThemAreSentAndLaterOnlyWhatIsNew() {
        var files = new TreeMap<String, String>();
        for (int i = 0; i < FILES; i++) {
            files.put(path(i), "A page");
        }
        publish("many/deep", "1.0.0", files);
        clone("many/deep", "deep", "--no-checkout");
        clone("many/deep", "shallow", "--no-checkout", "--depth=1");

        int objects = 1 + 1 + FILES * (DEEP + 1) + 1; // the commit, the uppermost tree, folders, the content
        assertThat(objects).isGreaterThan(20_000);
        for (String clone : new String[] {"deep", "shallow"}) {
            assertThat(git(clone).run("count-objects", "-v")).contains("in-pack: " + objects + "\n");
            assertThat(git(clone).run("fsck", "--strict")).doesNotContain("error", "warning", "missing");
        }
        files.put(path(0), "Another page");
        publish("many/deep", "1.1.0", files);
        git("deep").with("-c", "fetch.unpackLimit=1").run("fetch");
        assertThat(git("deep").run("count-objects", "-v")).contains("in-pack: " + (objects + DEEP + 4) + "\n");
        assertThat(git("deep").run("fsck", "--strict")).doesNotContain("error", "warning", "missing");
    }
}
