package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.OldInstallation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What the first version 0.1.0 left on a client's disk goes on to work, at a registry that goes on with its data.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OldFilesTest {
    private TestApp app;
    private OldInstallation served;
    private OldInstallation old;
    private Recorder recorder;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path shared) throws IOException, InterruptedException {
        served = OldInstallation.in(shared.resolve("served"));
        app = TestApp.on(served.data(), served.key("bootstrap"));
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @BeforeEach
    void unpack(@TempDir Path own) throws IOException, InterruptedException {
        folder = own;
        old = OldInstallation.in(own.resolve("old"));
        old.cameFrom(URI.create(app.url()));
        recorder = new Recorder(own.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", served.key("bootstrap").expose());
        recorder.environment().put("SHEAF_CACHE_DIR", old.cache().toString());
    }

    private Recorder.Ran run(Object... words) {
        var arguments = new ArrayList<String>();
        List.of(words).forEach(word -> arguments.add(word.toString()));
        return recorder.run("", false, arguments.toArray(String[]::new));
    }

    private Path kit() {
        return old.work().resolve("kit");
    }

    private Path lock() {
        return old.work().resolve("sheaf.lock");
    }

    @Test
    void pulledFoldersAreVerifiedByTheLockFile() {
        for (String name : List.of("kit:^1.0", "odd1", "bin")) {
            Path pulled = old.work().resolve(name.replaceAll(":.*", ""));

            var ran = run("verify", "acme/" + name, pulled, "--frozen", "--lock-file", lock());

            assertThat(ran.status()).as(ran.seen()).isZero();
            assertThat(ran.seen()).contains("0 missing, 0 changed, 0 extra");
        }
    }

    @Test
    void theNotesOfAPullAreUnderstood() throws IOException {
        Files.writeString(kit().resolve("mine.txt"), "mine");

        var same = run("pull", "acme/kit:1.0.0", "-o", kit());
        var next = run("pull", "acme/kit:2.0.0-rc.1", "-o", kit());

        assertThat(same.status()).as(same.seen()).isZero();
        assertThat(same.seen()).contains("0 B of it fetched");
        assertThat(next.status()).as(next.seen()).isZero();
        assertThat(kit().resolve("mine.txt")).hasContent("mine");
    }

    @Test
    void theCacheAnswersWithoutTheRegistry() {
        var ran = run(
                "pull", "--frozen", "--offline", "acme/kit:^1.0", "-o", folder.resolve("kit"), "--lock-file", lock());

        assertThat(ran.status()).as(ran.seen()).isZero();
        assertThat(folder.resolve("kit/skills/one/SKILL.md")).exists();
    }

    @Test
    void theLockFileStays() throws IOException {
        String before = Files.readString(lock());

        var checked = run("lock", "--check", "--lock-file", lock());
        var looked = run("lock", "--lock-file", lock());

        assertThat(checked.status()).as(checked.seen()).isZero();
        assertThat(looked.seen()).contains("as before").contains("a pull of acme/odd1 leaves out a file: \"a:b\"");
        assertThat(lock()).hasContent(before);
    }

    @Test
    void aLockedPathThatIsRefusedNowCanBeLeftOut() {
        Path odd = old.work().resolve("odd1");

        var refused = run("pull", "--frozen", "acme/odd1", "-o", odd, "--lock-file", lock());
        var skipped = run("pull", "--frozen", "acme/odd1", "-o", odd, "--lock-file", lock(), "--skip-refused");

        assertThat(refused.status()).isEqualTo(7);
        assertThat(refused.seen()).contains("\"a:b\": contains \":\"").contains("--skip-refused");
        assertThat(skipped.status()).as(skipped.seen()).isZero();
        assertThat(skipped.seen()).contains("left out \"a:b\"");
        assertThat(odd.resolve("a:b")).doesNotExist();
        assertThat(odd.resolve("ok.md")).exists();
        var verified = run("verify", "acme/odd1", odd, "--frozen", "--lock-file", lock());
        assertThat(verified.status()).as(verified.seen()).isZero();
        assertThat(verified.seen()).contains("1 refused");
    }

    @Test
    void everyOddBundleIsRefusedByNameAndTheRestOfItPulled() {
        for (int i = 0; i < 10; i++) {
            Path target = folder.resolve("odd" + i);

            var refused = run("pull", "acme/odd" + i + ":1.0.0", "-o", target);
            assertThat(refused.status()).as(refused.seen()).isEqualTo(7);
            assertThat(refused.seen()).contains("1 path that is refused");
            assertThat(target).doesNotExist();

            var skipped = run("pull", "acme/odd" + i + ":1.0.0", "-o", target, "--skip-refused");
            assertThat(skipped.status()).as(skipped.seen()).isZero();
            assertThat(target.toFile().list()).containsExactlyInAnyOrder("ok.md", ".sheaf");
        }
    }

    @Test
    void clashesAndForeignTitlesAreStillRead() {
        var clash = run("pull", "acme/clash:1.0.0", "-o", folder.resolve("clash"), "--skip-refused");
        assertThat(clash.status()).as(clash.seen()).isZero();
        assertThat(clash.seen()).contains("left out \"a\": it clashes");
        assertThat(folder.resolve("clash/a/b")).exists();

        var titles = run("pull", "acme/ocititles:1.0.0", "-o", folder.resolve("titles"));
        assertThat(titles.status()).as(titles.seen()).isZero();
        assertThat(folder.resolve("evil")).doesNotExist();
    }

    @Test
    void aFolderOfItsAuthorIsStillPushed() {
        var linted = run("lint", old.source());
        var rehearsed = run("push", old.source(), "--dry-run");

        assertThat(linted.status()).as(linted.seen()).isZero();
        assertThat(rehearsed.status()).as(rehearsed.seen()).isZero();
    }

    @Test
    void theTagsOfAnOldVersionThatIsPushedWithModesEndOnIt() throws IOException {
        Path script = kit().resolve("scripts/run.sh");
        assumeTrue(Files.getFileStore(script).supportsFileAttributeView("posix"), "this file system keeps no modes");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));

        for (boolean oci : List.of(true, false)) {
            String tag = oci ? "by-oci" : "by-json";
            var words = new ArrayList<Object>(List.of("push", kit(), "acme/kit:1.0.0", "--name", "Kit", "--tag", tag));
            if (oci) {
                words.add("--oci");
            }

            var ran = run(words.toArray());

            assertThat(ran.status()).as(ran.seen()).isZero();
            assertThat(ran.seen()).contains("without the executable bit of 1 file");
            assertThat(app.get("/v2/acme/kit/manifests/" + tag, app.admin()).header("Docker-Content-Digest"))
                    .isEqualTo(served.digests().get("kit:1.0.0"));
        }
    }
}
