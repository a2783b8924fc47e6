package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// What tests with the git of this machine have in common.
@Tag("programs")
abstract class GitScenario extends OnEveryStack {
    @TempDir
    private Path folder;

    private Tool git = Tool.at(Path.of("git"), Path.of("."));

    @BeforeEach
    void findGit() {
        git = Tool.installed("git", "git", folder)
                .with(
                        "-c",
                        "user.name=test",
                        "-c",
                        "user.email=test@example.com",
                        "-c",
                        "transfer.fsckObjects=true",
                        "-c",
                        "advice.detachedHead=false",
                        "-c",
                        "init.defaultBranch=other");
    }

    Path folder() {
        return folder;
    }

    Tool git() {
        return git;
    }

    /// The same in a clone.
    Tool git(String clone) {
        return git.with("-C", folder.resolve(clone).toString());
    }

    String url(String bundle) {
        return app().url() + "/" + bundle + ".git";
    }

    /// Clones with arguments before the address.
    void clone(String bundle, String into, String... arguments) {
        git.with("clone").with(arguments).run(url(bundle), into);
    }

    /// With an API key, as git sends what a helper gave it.
    Tool known(Tool tool, String key) {
        return tool.with(
                "-c",
                "http.extraHeader=Authorization: Basic "
                        + Base64.getEncoder().encodeToString(("key:" + key).getBytes()));
    }

    /// Publishes a version of text files.
    ///
    /// @param files by path; one whose path ends in `.sh` may be executed
    Reply publish(String bundle, String version, Map<String, String> files) {
        return publish(bundle, version, "public", files);
    }

    Reply publish(String bundle, String version, String visibility, Map<String, String> files) {
        var bytes = new TreeMap<String, byte[]>();
        files.forEach((path, text) -> bytes.put(path, text.getBytes(StandardCharsets.UTF_8)));
        return publishBytes(bundle, version, visibility, bytes);
    }

    /// Publishes a version of any files.
    Reply publishBytes(String bundle, String version, String visibility, Map<String, byte[]> files) {
        var assets = new StringJoiner(", ");
        files.forEach((path, bytes) ->
                assets.add("""
                {"logicalPath": "%s", "contentBase64": "%s", "executable": %s}""".formatted(path, Base64.getEncoder().encodeToString(bytes), path.endsWith(".sh"))));
        var reply = app().post(bundle(bundle) + ":push", app().admin(), """
                {"name": "Test", "visibility": "%s", "version": "%s", "manifest": [%s]}""".formatted(visibility, version, assets));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    String read(String path) throws IOException {
        return Files.readString(folder.resolve(path));
    }
}
