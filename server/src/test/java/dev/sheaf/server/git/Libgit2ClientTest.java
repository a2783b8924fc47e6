package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The third client: libgit2, on which many editors and cargo are built, by its Python.
@Tag("programs")
class Libgit2ClientTest extends OnEveryStack {
    /// Clones where nothing is yet, fetches, and says what there is.
    private static final String SCRIPT = """
            import os, sys, pygit2
            url, into, key = sys.argv[1:]
            callbacks = pygit2.RemoteCallbacks(credentials=pygit2.UserPass("any", key))
            if not os.path.isdir(into):
                pygit2.clone_repository(url, into, callbacks=callbacks)
            repository = pygit2.Repository(into)
            repository.remotes["origin"].fetch(callbacks=callbacks)
            main = repository.references["refs/remotes/origin/main"].target
            print(*(commit.message.split("\\n")[0].split(":")[0] for commit in repository.walk(main)))
            print(*sorted(name[10:] for name in repository.references if name.startswith("refs/tags/")))
            repository.checkout_tree(repository[main], strategy=pygit2.GIT_CHECKOUT_FORCE)
            """;

    @TempDir
    private Path folder;

    private Tool python = Tool.at(Path.of("python3"), Path.of("."));

    @BeforeEach
    void findIt() {
        var system = Path.of("/usr/bin/python3"); // whose packages Debian's are
        assumeTrue(Files.isExecutable(system), system + " is not installed (Debian's package python3)");
        python = Tool.at(system, folder);
        assumeTrue(
                python.end("", "-c", "import pygit2").exit() == 0,
                "there is no pygit2 for " + system + " (Debian's package python3-pygit2)");
    }

    private String fetched() {
        return python.run("-c", SCRIPT, app().url() + "/libgit2/kit.git", "kit", app().admin());
    }

    private String file() throws IOException {
        return Files.readString(folder.resolve("kit/SKILL.md"));
    }

    private void act(String method, String rest, String json) {
        var reply = app().send(method, bundle("libgit2/kit") + rest, app().admin(), json.isEmpty() ? null : json);
        assertThat(reply.status()).as(reply.text()).isIn(200, 201, 204);
    }

    @Test
    void itClonesAndFollows() throws IOException {
        app().push("libgit2/kit", "1.0.0", "private", "one");
        app().push("libgit2/kit", "1.1.0", "private", "two");
        assertThat(fetched()).isEqualTo("1.1.0 1.0.0\n1.0.0 1.1.0 plugin/1.0.0 plugin/1.1.0\n");
        assertThat(file()).isEqualTo("two");

        app().push("libgit2/kit", "1.2.0", "private", "three");
        assertThat(fetched()).startsWith("1.2.0 1.1.0 1.0.0\n");
        assertThat(file()).isEqualTo("three");
        act("POST", "/versions/1.2.0:yank", "{\"reason\": \"broken\"}");
        assertThat(fetched()).startsWith("1.1.0 1.0.0\n");
        act("POST", "/versions/1.2.0:unyank", "");
        act("DELETE", "/versions/1.1.0?reason=mistake", "");
        assertThat(fetched()).startsWith("1.2.0 1.0.0\n");
        act("DELETE", "/versions/1.0.0?purge=true&reason=secret", "");
        assertThat(fetched()).startsWith("1.2.0\n");
        assertThat(file()).isEqualTo("three");
    }

    @Test
    void aKeyThatIsNoGoodGetsNothing() {
        app().push("libgit2/hidden", "1.0.0", "private", "one");

        var run = python.end("", "-c", SCRIPT, app().url() + "/libgit2/hidden.git", "hidden", "shf_no");

        assertThat(run.exit()).isNotZero();
        assertThat(run.output()).contains("pygit2").doesNotContain("1.0.0");
    }
}
