package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Lock file, frozen and offline pulls, the check of a pulled folder, and the cache.
class LockCommandsTest extends CommandLineFixture {
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);

    private Path file() {
        return folder.resolve("sheaf.lock");
    }

    private String publish(String version) {
        var files = Map.of("skills/a/SKILL.md", SKILL, "v.txt", version.getBytes(StandardCharsets.UTF_8));
        return registry.content.publish("acme/kit:" + version, files).ociDigest();
    }

    private Ran lock(String... more) {
        return with("lock", more);
    }

    private Ran with(String command, String... more) {
        var all = new String[more.length + 3];
        all[0] = command;
        all[1] = "--lock-file";
        all[2] = file().toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return run(all);
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    @Test
    void theLockFileToTheLetter() throws IOException {
        String digest = publish("1.0.0");

        var locked = lock("acme/kit");

        assertThat(locked.status()).isZero();
        assertThat(locked.err()).contains("1 bundle in", "changed: acme/kit");
        String text = Files.readString(file());
        assertThat(text.replaceAll("resolved: \"[^\"]+\"", "resolved: T")).isEqualTo("""
                # Written by `sheaf lock`. Keep it under version control; do not edit it.
                lockVersion: 1
                bundles:
                  - reference: "acme/kit"
                    registry: "%s"
                    version: "1.0.0"
                    manifest: "%s"
                    resolved: T
                    assets:
                      "skills/a/SKILL.md": ["%s", 8, false]
                      "v.txt": ["%s", 5, false]
                """.formatted(
                registry.url(), digest, Digest.sha256(SKILL), Digest.sha256("1.0.0".getBytes(StandardCharsets.UTF_8))));
        assertThat(file().toFile()).content().contains("resolved: \"20");
    }

    @Test
    void lockingAgainChangesNothingUntilTheRegistryDoes() throws IOException {
        publish("1.0.0");
        lock("acme/kit");
        Files.writeString(
                file(),
                Files.readString(file()).replaceAll("resolved: \"[^\"]+\"", "resolved: \"2026-01-01T00:00:00Z\""));

        assertThat(lock().status()).isZero();
        assertThat(lock().err()).contains("as before");
        assertThat(Files.readString(file())).contains("2026-01-01T00:00:00Z");
        assertThat(lock("--check").status()).isZero();

        publish("1.1.0");
        var checked = lock("--check");
        assertThat(checked.status()).isEqualTo(10);
        assertThat(checked.err()).contains("out of date for acme/kit", "sheaf lock");
        assertThat(lock("--format", "quiet").out()).startsWith("acme/kit@sha256:");
        assertThat(Files.readString(file())).contains("\"1.1.0\"").doesNotContain("2026-01-01T00:00:00Z");
        assertThat(lock("--remove", "acme/kit").status()).isZero();
        assertThat(Files.readString(file())).endsWith("bundles: []\n");
    }

    @Test
    void frozenPullsWhatIsLockedAlsoWhenThereIsNewer() throws IOException {
        publish("1.0.0");
        lock("acme/kit");
        publish("1.1.0");

        var pulled = with("pull", "acme/kit", "--frozen", "-o", out());
        var all = with("pull", "--frozen", "-o", folder.resolve("all").toString());

        assertThat(pulled.err()).contains("pulled acme/kit:1.0.0");
        assertThat(folder.resolve("out/v.txt")).hasContent("1.0.0");
        assertThat(all.status()).isZero();
        assertThat(folder.resolve("all/kit/v.txt")).hasContent("1.0.0");
    }

    @Test
    void frozenRefusesWhatIsNotLockedAndWhatDiffers() throws IOException {
        publish("1.0.0");
        var missing = with("pull", "acme/kit", "--frozen", "-o", out());
        assertThat(missing.status()).isEqualTo(10);
        assertThat(missing.err())
                .contains("nothing is locked in " + file(), "sheaf lock acme/kit --lock-file " + file());
        String range = "sheaf lock 'acme/kit:>=1 <2' --lock-file " + file();
        assertThat(with("pull", "acme/kit:>=1 <2", "--frozen").err()).contains(range);
        assertThat(with("verify", "acme/kit:>=1 <2", "--frozen").err()).contains(range);

        lock("acme/kit");
        assertThat(with("pull", "acme/kit:1.0.0", "--frozen").err())
                .contains("has no entry for acme/kit:1.0.0", "sheaf pull acme/kit --frozen --lock-file " + file());
        Files.writeString(file(), Files.readString(file()).replace("v.txt\"", "w.txt\""));
        var differs = with("pull", "acme/kit", "--frozen", "-o", out());
        assertThat(differs.status()).isEqualTo(10);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aNewerLockFileIsRefusedWithAdvice() throws IOException {
        Files.writeString(file(), "lockVersion: 2\nbundles: []\n");

        var pulled = with("pull", "acme/kit", "--frozen", "-o", out());

        assertThat(pulled.status()).isEqualTo(1);
        assertThat(pulled.err()).contains(file() + ":1: ", "version 2", "update sheaf");
    }

    @Test
    void aConflictOfAMergeIsNamedWithItsLine() throws IOException {
        Files.writeString(file(), "lockVersion: 1\n<<<<<<< HEAD\nbundles: []\n");

        assertThat(lock("acme/kit").err()).contains(file() + ":", "take either side first");
    }

    @Test
    void offlineGoesByTheCacheAlone() {
        publish("1.0.0");
        var never = with("pull", "acme/kit", "--offline", "-o", out());
        assertThat(never.status()).isEqualTo(9);
        assertThat(never.err()).contains("was never pulled from");

        run("pull", "acme/kit", "-o", out());
        int before = registry.requests("").size();
        var offline = with(
                "pull", "acme/kit", "--offline", "-o", folder.resolve("again").toString());

        assertThat(offline.status()).isZero();
        assertThat(folder.resolve("again/v.txt")).hasContent("1.0.0");
        assertThat(registry.requests("")).hasSize(before);
    }

    @Test
    void aPullByAgeTakesTheNewestThatIsOldEnough() {
        publish("1.0.0"); // on 2026-01-02
        registry.content.publishedAt = Instant.now();
        publish("1.1.0");

        var pulled = run("pull", "acme/kit", "--min-age", "3d", "-o", out());
        var locked = lock("acme/kit", "--min-age", "3d");
        var plain = run("pull", "acme/kit", "-o", out());

        assertThat(pulled.err()).contains("pulled acme/kit:1.0.0");
        assertThat(locked.out()).contains("1.0.0").doesNotContain("1.1.0");
        assertThat(plain.err()).contains("pulled acme/kit:1.1.0");
    }

    @Test
    void aFrozenPullNeedsNoRegistryThatIsDown() {
        publish("1.0.0");
        lock("acme/kit");
        with("pull", "acme/kit", "--frozen", "-o", out());
        registry.close();

        var pulled = with(
                "pull",
                "acme/kit",
                "--frozen",
                "--refresh",
                "-o",
                folder.resolve("again").toString());

        assertThat(pulled.status()).isZero();
        assertThat(pulled.err()).contains("note: cannot connect", "using the lock file and the cache");
        assertThat(folder.resolve("again/v.txt")).hasContent("1.0.0");
    }

    @Test
    void tooYoungIsRefusedWithWhatToDo() {
        publish("1.0.0"); // on 2026-01-02

        var refused = run("pull", "acme/kit", "--min-age", "9999d", "-o", out());
        var exact = run("pull", "acme/kit:1.0.0", "--min-age", "9999d", "-o", out());

        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).contains("no version that matches acme/kit is at least 9999d old", "sheaf versions");
        assertThat(exact.status()).isEqualTo(2);
        assertThat(exact.err()).contains("published at 2026-01-02T03:04:05Z", "sheaf versions acme/kit");
        assertThat(run("pull", "acme/kit", "--min-age", "1m", "-o", out()).status())
                .isZero();
    }

    @Test
    void verifyNamesWhatIsMissingChangedAndExtra() throws IOException {
        String digest = publish("1.0.0");
        lock("acme/kit");
        run("pull", "acme/kit", "-o", out());
        assertThat(run("verify", "acme/kit", out()).status()).isZero();

        Files.writeString(folder.resolve("out/v.txt"), "1.0.1");
        Files.delete(folder.resolve("out/skills/a/SKILL.md"));
        Files.writeString(folder.resolve("out/mine.txt"), "x");
        var found = run("verify", "acme/kit", out());

        assertThat(found.status()).isEqualTo(7);
        assertThat(found.out()).isEqualTo("missing  skills/a/SKILL.md\nchanged  v.txt\nextra    mine.txt\n");
        assertThat(found.err())
                .contains(
                        "0 right, 1 missing, 1 changed, 1 extra",
                        "sheaf pull acme/kit@" + digest + " -o " + out() + " --force\n");
        assertThat(run("pull", "acme/kit@" + digest, "-o", out(), "--force").status())
                .isZero();
        assertThat(run("verify", "acme/kit", out()).status()).isZero();
        Files.delete(folder.resolve("out/v.txt"));
        assertThat(run("verify", "acme/kit", out()).err()).endsWith(" -o " + out() + "\n");
        Files.delete(folder.resolve("out/skills/a/SKILL.md"));
        Files.writeString(folder.resolve("out/v.txt"), "1.0.1");
        registry.close();
        assertThat(with("verify", "--frozen", "acme/kit", out()).out()).isEqualTo(found.out());
    }

    @Test
    void verifyMindsFurtherFilesWhereAsked() throws IOException {
        publish("1.0.0");
        run("pull", "acme/kit", "-o", out());
        Files.writeString(folder.resolve("out/mine.txt"), "x");

        assertThat(run("verify", "acme/kit", out()).status()).isZero();
        assertThat(run("verify", "acme/kit", out(), "--strict").status()).isEqualTo(7);
        assertThat(run("verify", "acme/kit", out(), "--json").out())
                .contains("\"whole\" : true", "\"path\" : \"mine.txt\",\n    \"state\" : \"extra\"");
    }

    @Test
    void theCacheIsListedHealedAndPruned() throws IOException {
        publish("1.0.0");
        assertThat(run("cache", "ls").err()).contains("the cache is empty", "0 entries");
        run("pull", "acme/kit", "-o", out());
        var listed = run("cache", "ls");
        assertThat(listed.out())
                .startsWith("DIGEST")
                .contains(Digest.sha256(SKILL).toString(), "8 B");
        assertThat(listed.err()).contains("3 entries");

        Path blob = folder.resolve(
                "home/.cache/sheaf/blobs/sha256/" + Digest.sha256(SKILL).hex().substring(0, 2) + "/"
                        + Digest.sha256(SKILL).hex());
        Files.writeString(blob, "# Skull\n");
        assertThat(run("cache", "verify").out()).contains("removed as damaged: 1 of 3 entries (8 B)");
        assertThat(run("cache", "verify").out()).contains("0 of 2 entries");
        assertThat(run("pull", "acme/kit", "-o", folder.resolve("b").toString()).err())
                .contains("8 B of it fetched");

        assertThat(run("cache", "prune").status()).isEqualTo(2);
        assertThat(run("cache", "prune", "--unused", "30d").out()).contains("removed 0 of 3");
        assertThat(run("cache", "prune", "--max-size", "0", "--format", "quiet")
                        .out()
                        .lines())
                .hasSize(3);
        assertThat(run("cache", "ls", "--json").out()).contains("\"sizeBytes\" : 0", "\"entries\" : [ ]");
        assertThat(run("pull", "acme/kit", "-o", folder.resolve("c").toString()).status())
                .isZero();
    }

    @Test
    void aLockFileCannotMakeARegistryLie() throws IOException {
        publish("1.0.0");
        lock("acme/kit");
        registry.replace(":resolve", exchange -> TinyRegistry.problem(exchange, 404, "bundle-not-found", "none"));

        assertThat(with("pull", "acme/kit", "--frozen", "-o", out()).status()).isEqualTo(3);
    }
}
