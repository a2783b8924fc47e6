package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders on a file system that shows every file as executable and takes every other mode without a word: NTFS, as
/// exFAT, FAT and Windows folders under WSL are. It is mounted here, which takes root and FUSE. On SQLite alone: the
/// disk is the client's, and a server never sees it.
@Tag("programs")
class FixedModesTest {
    private static final long SIZE = 2 << 20;

    @TempDir
    private Path folder;

    private Path disk = Path.of("");
    private TestApp app;
    private Recorder recorder;

    @BeforeEach
    void mount() throws IOException {
        Tool.assumeInstalled("ntfs-3g", "ntfs-3g");
        Path image = folder.resolve("image");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(SIZE);
        }
        disk = Files.createDirectory(folder.resolve("disk"));
        Path home = folder.resolve("tools");
        Tool.installed("mkntfs", "ntfs-3g", home).run("-F", "-Q", image.toString());
        var mounted = Tool.installed("ntfs-3g", "ntfs-3g", home).end("", image.toString(), disk.toString());
        assumeTrue(mounted.exit() == 0, "nothing can be mounted here: " + mounted.output());
        app = TestApp.start(folder.resolve("data"));
        recorder = new Recorder(folder.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        recorder.environment().put("SHEAF_CACHE_DIR", folder.resolve("cache").toString());
    }

    @AfterEach
    void unmount() {
        if (app != null) {
            app.close();
            Tool.installed("umount", "mount", folder.resolve("tools")).run(disk.toString());
        }
    }

    private String run(String... words) {
        var ran = recorder.run("", false, words);
        assertThat(ran.status()).as(ran.seen()).isZero();
        return ran.seen();
    }

    private String executables(String bundle) {
        var found = new StringBuilder();
        for (var asset : app.get("/v1/namespaces/acme/bundles/" + bundle + ":resolve", app.admin())
                .json()
                .at("/manifest/layers")) {
            if (asset.get("executable").booleanValue()) {
                found.append(asset.get("logicalPath").stringValue());
            }
        }
        return found.toString();
    }

    private Path source() throws IOException {
        Path source = Files.createDirectories(disk.resolve("source"));
        Files.writeString(source.resolve("README.md"), "read");
        Files.writeString(source.resolve("run.sh"), "#!/bin/sh\n");
        assertThat(Files.getPosixFilePermissions(source.resolve("README.md")))
                .as("what makes this hard")
                .contains(PosixFilePermission.OWNER_EXECUTE);
        return source;
    }

    @Test
    void aPushFromItPublishesNothingAsExecutableThatNobodySaysIs() throws IOException {
        Path source = source();

        run("push", source.toString(), "acme/plain:1.0.0");

        assertThat(executables("plain")).isEmpty();
        assertThat(source.toFile().list()).containsExactlyInAnyOrder("README.md", "run.sh");
        assertThat(disk.toFile().list()).as("nothing is left behind").containsExactly("source");
    }

    @Test
    void aDescriptionSaysWhatIsExecutable() throws IOException {
        Path source = source();
        Files.writeString(source.resolve("sheaf.yaml"), """
                {namespace: acme, slug: said, version: 1.0.0, executable: ["*.sh"]}
                """);

        run("push", source.toString());

        assertThat(executables("said")).isEqualTo("run.sh");
    }

    @Test
    void aPullToItIsAsItShouldBeAndStaysSo() throws IOException {
        Path source = source();
        Files.writeString(source.resolve("sheaf.yaml"), """
                {namespace: acme, slug: kit, version: 1.0.0, executable: ["*.sh"]}
                """);
        run("push", source.toString());
        String out = disk.resolve("out").toString();

        run("pull", "acme/kit:1.0.0", "-o", out);

        assertThat(run("verify", "acme/kit:1.0.0", out)).contains("0 missing, 0 changed, 0 extra");
        assertThat(run("pull", "acme/kit:1.0.0", "-o", out)).contains("0 B of it fetched");
    }
}
