package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What `sheaf push --dry-run` says beforehand is what the push comes to, at a real registry.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DryRunTest {
    private TestApp app;
    private Recorder recorder;
    private Path kit;

    @BeforeAll
    void start(@TempDir Path data) {
        app = TestApp.start(data);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @BeforeEach
    void prepare(@TempDir Path own) throws IOException {
        kit = Files.createDirectory(own.resolve("kit"));
        Files.writeString(kit.resolve("a.txt"), "x");
        recorder = new Recorder(own.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", app.admin());
    }

    private Recorder.Ran run(String... arguments) {
        return recorder.run("", false, arguments);
    }

    private Recorder.Ran push(String reference, String... options) {
        var line = new ArrayList<>(List.of("push", kit.toString(), reference));
        line.addAll(List.of(options));
        return run(line.toArray(String[]::new));
    }

    /// @return what the dry run showed
    private String refused(int status, String reference, String... options) {
        var line = new ArrayList<>(List.of(options));
        line.add("--dry-run");
        var planned = push(reference, line.toArray(String[]::new));
        var pushed = push(reference, options);

        assertThat(planned.status()).as(planned.seen()).isEqualTo(status);
        assertThat(pushed.status()).as(pushed.seen()).isEqualTo(status);
        return planned.seen();
    }

    @Test
    void whatHasRoomIsPublishedAsItWasSaid() {
        assertThat(push("room/kit:1.0.0", "--dry-run").seen()).contains("would be published");
        assertThat(push("room/kit:1.0.0").status()).isZero();
        assertThat(push("room/kit:1.0.0", "--dry-run").seen()).contains("is published already");
    }

    @Test
    void whatClientAndRegistryBothFindIsSaidOnce() throws IOException {
        Files.writeString(
                Files.createDirectories(kit.resolve("skills/a")).resolve("SKILL.md"),
                "---\nname: a\ndescription: Is a.\nlevel: 1\n---\n");
        Files.writeString(
                Files.createDirectories(kit.resolve("other/a")).resolve("SKILL.md"),
                "---\nname: a\ndescription: Is a.\n---\n");

        String seen = push("once/kit:1.0.0").seen();

        assertThat(seen).containsOnlyOnce("SKILL.md:4: \"level\" is not a field of a skill's front matter");
        assertThat(seen).containsOnlyOnce("is not a field of a skill's front matter");
        assertThat(seen).containsOnlyOnce("other/a/SKILL.md: clients do not get this skill");
    }

    @Test
    void whatIsThereAndYankedIsCalledThat() {
        assertThat(push("yanked/kit:1.0.0").seen()).doesNotContain("yanked/kit:1.0.0 is yanked");
        assertThat(run("yank", "yanked/kit:1.0.0", "--reason", "it breaks", "--yes")
                        .status())
                .isZero();
        String note = "note: yanked/kit:1.0.0 is yanked (it breaks) and stays yanked";

        assertThat(push("yanked/kit:1.0.0", "--dry-run").seen()).contains(note);
        var again = push("yanked/kit:1.0.0");

        assertThat(again.status()).isZero();
        assertThat(again.seen()).contains("yanked/kit:1.0.0 was already at", note, "sheaf unyank yanked/kit:1.0.0");
    }

    @Test
    void aNamespaceOfSomebodyElse() {
        String other = app.secondOrganization("elsewhere");
        assertThat(push("theirs/kit:1.0.0", "--public").status()).isZero();
        recorder.environment().put("SHEAF_API_KEY", other);

        assertThat(refused(3, "theirs/new:1.0.0"))
                .contains("! sheaf: the namespace theirs belongs to another organization");
    }

    @Test
    void aNamespaceThatTheKeyMayNotUse() {
        assertThat(push("ours/kit:1.0.0", "--public").status()).isZero();
        var narrow = app.post("/v1/organizations/default/api-keys", app.admin(), """
                {"name": "narrow", "scopes": ["write"], "restrictions": {"namespaces": ["mine"]}}""");
        recorder.environment().put("SHEAF_API_KEY", narrow.json().get("key").stringValue());

        assertThat(refused(3, "ours/new:1.0.0"))
                .contains("the namespace ours is not one that this key may publish to")
                .doesNotContain("another organization");
    }

    @Test
    void aQuotaThatIsUsedUp() {
        String small = app.secondOrganization("small");
        app.send("PATCH", "/v1/admin/organizations/small/quota", app.admin(), "{\"bundles\": 1, \"bytes\": 1000}");
        recorder.environment().put("SHEAF_API_KEY", small);
        assertThat(push("small-one/kit:1.0.0").status()).isZero();

        assertThat(refused(2, "small-one/other:1.0.0"))
                .contains("the organization has 1 bundles, and may have 1", "would be refused");
        assertThat(push("small-one/other:1.0.0").status())
                .as("as the dry run said")
                .isEqualTo(2);
    }

    @Test
    void bytesThatAreTooMany() throws IOException {
        String small = app.secondOrganization("tiny");
        app.send("PATCH", "/v1/admin/organizations/tiny/quota", app.admin(), "{\"bytes\": 1000}");
        recorder.environment().put("SHEAF_API_KEY", small);
        Files.writeString(kit.resolve("b.txt"), "x".repeat(2_000));

        assertThat(refused(2, "tiny-one/kit:1.0.0")).contains("may have 1000 B");
        assertThat(push("tiny-one/kit:1.0.0").status())
                .as("as the dry run said")
                .isEqualTo(2);
    }

    @Test
    void textsThatAreTooLongAndTagsThatAreTooMany() {
        assertThat(refused(2, "long/kit:1.0.0", "--name", "n".repeat(201))).contains("name: 201 characters");
        assertThat(refused(2, "long/kit:1.0.0", "--description", "n".repeat(4_001)))
                .contains("description: 4001 characters");
        var tags = new ArrayList<String>();
        for (int i = 0; i < 101; i++) {
            tags.addAll(List.of("--tag", "t" + i));
        }
        assertThat(refused(2, "long/kit:1.0.0", tags.toArray(String[]::new))).contains("there are 101 tags");
    }

    @Test
    void filesThatAreTooManyOrHaveNoName() throws IOException {
        for (int i = 0; i < 2_000; i++) {
            Files.writeString(kit.resolve("f" + i), "x");
        }
        assertThat(refused(2, "many/kit:1.0.0")).contains("there are 2001 files; this registry takes 2000");

        Files.writeString(kit.resolve("what?"), "x");
        assertThat(refused(2, "many/kit:1.0.0")).contains("1 file has a name that a bundle cannot contain");
    }

    @Test
    void aSecret() throws IOException {
        Files.writeString(kit.resolve("b.txt"), "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");

        assertThat(refused(2, "secret/kit:1.0.0")).contains("b.txt:1: this looks like a GitHub personal access token");
    }

    /// Which goes file by file through a registry where nothing can say that a bundle is public.
    @Test
    void aLargeBundleBeginsPublic() throws IOException {
        Files.write(kit.resolve("large.bin"), new byte[(4 << 20) + 1]);

        assertThat(push("large/kit:1.0.0", "--public", "--dry-run").seen())
                .contains("new, public", "file by file, because it is too large for one request");
        assertThat(push("large/kit:1.0.0", "--public").status()).isZero();

        recorder.environment().remove("SHEAF_API_KEY");
        assertThat(run("pull", "large/kit", "-o", kit.resolveSibling("out").toString())
                        .status())
                .isZero();
        assertThat(kit.resolveSibling("out/large.bin")).hasSize((4 << 20) + 1);
    }
}
