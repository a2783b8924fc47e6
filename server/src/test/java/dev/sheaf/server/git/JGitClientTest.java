package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The second client: JGit's own, which speaks to the service over HTTP as to any other.
class JGitClientTest extends OnEveryStack {
    @TempDir
    private Path folder;

    private Git cloned(String into) throws Exception {
        File place = folder.resolve(into).toFile();
        return Git.cloneRepository()
                .setURI(app().url() + "/jgit/kit.git")
                .setCredentialsProvider(new UsernamePasswordCredentialsProvider("any", app().admin()))
                .setDirectory(place)
                .call();
    }

    @Test
    void itClonesAndFetches() throws Exception {
        app().push("jgit/kit", "1.0.0", "private", "one");
        app().push("jgit/kit", "1.1.0", "private", "two");
        try (var clone = cloned("kit-" + stack())) {
            assertThat(Files.readString(
                            clone.getRepository().getWorkTree().toPath().resolve("SKILL.md")))
                    .isEqualTo("two");
            // a tag for each version, and one for it as a plugin
            assertThat(clone.tagList().call()).hasSize(4);
            app().push("jgit/kit", "1.2.0", "private", "three");

            clone.pull()
                    .setCredentialsProvider(new UsernamePasswordCredentialsProvider("any", app().admin()))
                    .call();

            assertThat(Files.readString(
                            clone.getRepository().getWorkTree().toPath().resolve("SKILL.md")))
                    .isEqualTo("three");
            assertThat(clone.log().call()).hasSize(3);
            assertThat(clone.getRepository().resolve("1.2.0")).isInstanceOf(ObjectId.class);
        }
    }
}
