package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bundles that others require are installed, updated and removed with them.
@SuppressWarnings("NullAway.Init") // set before each test
class RequiredInstallTest {
    private TestApp app;
    private Recorder recorder;
    private Path folder;
    private Path project;

    @BeforeEach
    void publish(@TempDir Path data, @TempDir Path own) throws IOException {
        app = TestApp.start(data);
        folder = own;
        project = Files.createDirectories(own.resolve("project"));
        recorder = new Recorder(own.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        push("leaf", "1.0.0", "");
        push("branch", "1.0.0", "{bundle: acme/leaf, range: ^1}");
        push("top", "1.0.0", "{bundle: acme/branch, range: \"*\"}");
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private void push(String name, String version, String requires) throws IOException {
        Path source = Files.createDirectories(folder.resolve(name + version));
        Files.writeString(
                source.resolve("SKILL.md"),
                "---\nname: " + name + "\ndescription: Does " + name + " things.\n---\n" + version + "\n");
        Files.writeString(
                source.resolve("sheaf.yaml"),
                "namespace: acme\nslug: " + name + "\nversion: " + version + "\nvisibility: public\nrequires: ["
                        + requires + "]\n");
        ok("push", source.toString());
    }

    private Recorder.Ran run(String... line) {
        return recorder.run("", false, line);
    }

    private String ok(String... line) {
        var run = run(line);
        assertThat(run.status()).as(run.seen()).isZero();
        return run.seen();
    }

    private Path skill(String name) {
        return project.resolve(".claude/skills/" + name + "/SKILL.md");
    }

    private String lock() throws IOException {
        return Files.readString(project.resolve("sheaf-install.lock"));
    }

    @Test
    void addInstallsWhatIsRequiredAndSaysWhoAskedForIt() throws IOException {
        String said = ok("add", "acme/top", "--agent", "claude-code", "--project", project.toString());

        assertThat(said).contains("acme/branch:1.0.0 is installed too: acme/top requires it", "acme/leaf:1.0.0");
        assertThat(skill("top")).exists();
        assertThat(skill("branch")).exists();
        assertThat(skill("leaf")).exists();
        assertThat(lock()).contains("requiredBy: [\"acme/top\"]", "requiredBy: [\"acme/branch\"]");
        assertThat(Files.readString(project.resolve("sheaf-install.json")))
                .contains("acme/top")
                .doesNotContain("acme/branch", "acme/leaf");
    }

    @Test
    void aFrozenInstallationHasTheSameAndAsksNothing() throws IOException {
        ok("add", "acme/top", "--agent", "claude-code", "--project", project.toString());
        push("leaf", "1.1.0", "");
        Path clone = Files.createDirectories(folder.resolve("clone"));
        for (String file : new String[] {"sheaf-install.json", "sheaf-install.lock"}) {
            Files.copy(project.resolve(file), clone.resolve(file));
        }

        ok("install", "--frozen", "--project", clone.toString());

        assertThat(clone.resolve(".claude/skills/leaf/SKILL.md")).content().contains("1.0.0");
    }

    @Test
    void anUpdateTakesWhatIsNewInTheRange() throws IOException {
        ok("add", "acme/top", "--agent", "claude-code", "--project", project.toString());
        push("leaf", "1.1.0", "");
        push("leaf", "2.0.0", "");

        ok("install", "--project", project.toString());
        assertThat(skill("leaf")).content().contains("1.0.0");
        ok("update", "--project", project.toString());

        assertThat(skill("leaf")).content().contains("1.1.0");
    }

    @Test
    void removeTakesWhatNothingNeedsAnyMore() throws IOException {
        ok("add", "acme/top", "acme/leaf", "--agent", "claude-code", "--project", project.toString());

        ok("remove", "acme/top", "--project", project.toString());

        assertThat(skill("top")).doesNotExist();
        assertThat(skill("branch")).doesNotExist();
        assertThat(skill("leaf")).as("it is wanted itself").exists();
        assertThat(lock()).contains("acme/leaf").doesNotContain("acme/branch", "requiredBy");
    }

    @Test
    void listWhyAndOutdatedKnowWhatIsRequired() throws IOException {
        ok("add", "acme/top", "--agent", "claude-code", "--project", project.toString());
        push("leaf", "1.1.0", "");

        assertThat(ok("list", "--project", project.toString())).contains("^1 for acme/branch");
        assertThat(ok("why", "leaf", "--project", project.toString()))
                .contains("wanted       no", "required by  acme/branch");
        assertThat(ok("why", "acme/leaf", "--project", project.toString())).contains("required by  acme/branch");
        assertThat(ok("outdated", "--project", project.toString()))
                .containsPattern("acme/leaf +1\\.0\\.0 +1\\.1\\.0 +1\\.1\\.0 ")
                .doesNotContain("acme/branch  ");
    }

    @Test
    void whatIsRequiredIsRemovedWithWhatRequiresIt() throws IOException {
        ok("add", "acme/top", "--agent", "claude-code", "--project", project.toString());

        var refused = run("remove", "acme/leaf", "--project", project.toString());
        assertThat(refused.status()).isNotZero();
        assertThat(refused.seen())
                .contains(
                        "acme/leaf is installed because acme/branch, acme/top requires it; remove that instead",
                        "sheaf remove --recalled");
        assertThat(skill("leaf")).exists();

        ok("recall", "acme/leaf:1.0.0", "--reason", "Sends keys away", "--yes");
        var listed = run("list", "--check", "--project", project.toString());
        assertThat(listed.status()).isEqualTo(11);
        assertThat(listed.seen()).contains("acme/branch requires it; to remove both: sheaf remove --recalled");
        assertThat(run("outdated", "--project", project.toString()).seen())
                .contains("to look for another version: sheaf update");
        assertThat(ok("remove", "--recalled", "--project", project.toString()))
                .contains("acme/branch goes too", "acme/top goes too");
        assertThat(skill("leaf")).doesNotExist();
        assertThat(skill("top")).doesNotExist();
        assertThat(lock()).doesNotContain("acme/");
    }

    @Test
    void whatIsWantedAndRequiredStaysUntilNobodyRequiresIt() throws IOException {
        ok("add", "acme/top", "acme/leaf", "--agent", "claude-code", "--project", project.toString());

        assertThat(ok("remove", "acme/leaf", "--project", project.toString()))
                .contains("acme/leaf stays, because acme/branch, acme/top requires it");

        assertThat(skill("leaf")).exists();
        ok("remove", "acme/top", "--project", project.toString());
        assertThat(skill("leaf")).doesNotExist();
    }

    @Test
    void aDryRunOfAPushTellsOfReviewAndOfWhatCannotBeRead() throws IOException {
        push("held", "1.0.0", "{bundle: acme/leaf, range: ^1}");
        app.person("publisher@held.test", "default", "publisher");
        app.person("reviewer@held.test", "default", "owner");
        ok("review", "policy", "acme/held", "--approvals", "1");
        Path source = folder.resolve("held1.0.0");
        assertThat(ok("push", "--dry-run", source.toString(), "acme/held:1.1.0"))
                .contains("would wait for approval");

        Files.writeString(
                source.resolve("sheaf.yaml"),
                "namespace: acme\nslug: held\nversion: 1.1.0\nrequires: [{bundle: acme/none, range: ^1}]\n");
        var refused = run("push", "--dry-run", source.toString());
        assertThat(refused.status()).isNotZero();
        assertThat(refused.seen()).contains("would be refused", "the required bundle acme/none does not exist");
    }

    @Test
    void infoDiffAndDependentsShowRequirements() throws IOException {
        push("top", "1.1.0", "{bundle: acme/leaf, range: ^1, optional: true}");

        assertThat(ok("info", "acme/top")).contains("requires", "acme/leaf ^1 (optional)");
        assertThat(ok("diff", "acme/top:1.0.0", "1.1.0"))
                .contains("added  requires acme/leaf none -> ^1 (optional)", "removed  requires acme/branch * -> none");
        assertThat(ok("dependents", "acme/leaf")).contains("acme/branch", "acme/top", "1.1.0");
        var refused = run("push", folder.resolve("top1.1.0").toString(), "acme/leaf:3.0.0");
        assertThat(refused.seen()).contains("cannot require itself");
    }
}
