package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A version that is installed is recalled: commands say so and fail, and nothing of it is written again.
@SuppressWarnings("NullAway.Init") // set before each test
class RecalledInstallTest {
    private static final String PLACE = ".claude/skills/kit";

    private TestApp app;
    private Recorder recorder;
    private Path folder;
    private Path project;

    @BeforeEach
    void install(@TempDir Path data, @TempDir Path own) throws IOException {
        app = TestApp.start(data);
        folder = own;
        project = Files.createDirectories(own.resolve("project"));
        recorder = new Recorder(own.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        push("1.0.0", "good");
        push("1.1.0", "bad");
        ok("add", "acme/kit:1.1.0", "--agent", "claude-code", "--project", project.toString());
        ok("recall", "acme/kit:1.1.0", "--reason", "It sends keys away.", "--replacement", "1.0.0", "--yes");
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private void push(String version, String text) throws IOException {
        Path skill = Files.createDirectories(folder.resolve(version)).resolve("SKILL.md");
        Files.writeString(skill, "---\nname: kit\ndescription: Does " + text + " things.\n---\n" + text + "\n");
        ok("push", folder.resolve(version).toString(), "acme/kit:" + version, "--public");
    }

    private Recorder.Ran run(String... line) {
        return recorder.run("", false, line);
    }

    private void ok(String... line) {
        var run = run(line);
        assertThat(run.status()).as(run.seen()).isZero();
    }

    private String recalled(String... line) {
        var run = run(line);
        assertThat(run.status()).as(run.seen()).isEqualTo(ExitCode.RECALLED.status());
        return run.seen();
    }

    private String in(Path place) {
        return place.toString();
    }

    @Test
    void everyCommandNamesItAndItsPlaces() {
        assertThat(recalled("install", "--project", in(project)))
                .contains("acme/kit:1.1.0 was recalled (high): It sends keys away", "use 1.0.0", PLACE);
        assertThat(recalled("outdated", "--project", in(project))).contains("was recalled (high)");
        assertThat(recalled("list", "--check", "--project", in(project))).contains("was recalled (high)", PLACE);
        assertThat(run("list", "--project", in(project)).status()).isZero();
        assertThat(project.resolve(PLACE + "/SKILL.md")).as("people decide").exists();
    }

    @Test
    void aFrozenInstallationFails() {
        assertThat(recalled("install", "--frozen", "--project", in(project)))
                .contains("was recalled (high): It sends keys away", "sheaf remove --recalled");
    }

    @Test
    void nothingOfItIsWrittenAgainAlthoughItIsInTheCache() throws IOException {
        Path clone = Files.createDirectories(folder.resolve("clone"));
        for (String file : new String[] {"sheaf-install.json", "sheaf-install.lock"}) {
            Files.copy(project.resolve(file), clone.resolve(file));
        }

        recalled("install", "--project", in(clone));

        assertThat(clone.resolve(PLACE)).doesNotExist();
        assertThat(recalled("add", "acme/kit:1.1.0", "--project", in(clone))).contains("was recalled");
        assertThat(clone.resolve(PLACE)).doesNotExist();
    }

    @Test
    void itIsRemovedOnItsOwn() throws IOException {
        Path skill = Files.createDirectories(folder.resolve("other")).resolve("SKILL.md");
        Files.writeString(skill, "---\nname: other\ndescription: Does other things.\n---\nOther.\n");
        ok("push", folder.resolve("other").toString(), "acme/other:1.0.0", "--public");
        recalled("add", "acme/other", "--agent", "claude-code", "--project", in(project));

        ok("remove", "--recalled", "--project", in(project));

        assertThat(project.resolve(PLACE)).doesNotExist();
        assertThat(project.resolve(".claude/skills/other/SKILL.md")).exists();
        ok("install", "--frozen", "--project", in(project));
        assertThat(run("remove", "--recalled", "--project", in(project)).seen()).contains("nothing that is installed");
    }

    private void pushOther(String version, String text) throws IOException {
        Path skill = Files.createDirectories(folder.resolve("other")).resolve("SKILL.md");
        Files.writeString(skill, "---\nname: other\ndescription: Does other things.\n---\n" + text + "\n");
        ok("push", folder.resolve("other").toString(), "acme/other:" + version, "--public");
    }

    /// What is missing here, as in a clone, runs programs: a removal neither writes it nor asks.
    @Test
    void aRemovalOnlyRemoves() throws IOException {
        pushOther("1.0.0", "!`date`");
        recalled("add", "acme/other", "--agent", "claude-code", "--allow-exec", "--project", in(project));
        Path other = project.resolve(".claude/skills/other/SKILL.md");
        Files.delete(other);

        ok("remove", "--recalled", "--project", in(project));

        assertThat(project.resolve(PLACE)).doesNotExist();
        assertThat(other).doesNotExist();
        assertThat(run("install", "--project", in(project)).seen()).contains("--allow-exec");
        ok("install", "--allow-exec", "--project", in(project));
        assertThat(other).exists();
    }

    @Test
    void aRemovalIsOneDocument() throws IOException {
        pushOther("1.0.0", "Other.");
        recalled("add", "acme/other", "--agent", "claude-code", "--project", in(project));
        ok("recall", "acme/other:1.0.0", "--reason", "It is bad too.", "--yes");

        var removed = run("remove", "--recalled", "--project", in(project), "--format", "json");

        assertThat(removed.status()).as(removed.seen()).isZero();
        assertThat(removed.out()).containsOnlyOnce("\"changes\"").contains("acme/kit", "acme/other");
    }

    @Test
    void anUpdateGoesOnWithTheOthers() throws IOException {
        pushOther("1.0.0", "Old.");
        recalled("add", "acme/other", "--agent", "claude-code", "--project", in(project));
        pushOther("1.1.0", "New.");

        assertThat(recalled("update", "--project", in(project)))
                .contains("updated acme/other 1.0.0 -> 1.1.0", "acme/kit:1.1.0 was recalled (high)");

        assertThat(project.resolve(".claude/skills/other/SKILL.md")).content().contains("New.");
        assertThat(project.resolve(PLACE + "/SKILL.md")).as("people decide").exists();
    }

    @Test
    void adviceNamesThePlace() {
        assertThat(run("list", "--project", in(project)).seen())
                .contains("to remove it: sheaf remove acme/kit --project " + in(project));
    }

    @Test
    void aSecondRecallSaysHowTheSeverityChanges() {
        var again = run("recall", "acme/kit:1.1.0", "--reason", "It logs.", "--severity", "low", "--yes");

        assertThat(again.seen()).contains("1.1.0 was high, is low now");
        assertThat(run("recall", "acme/kit:1.1.0", "--reason", "It is so.", "--severity", "low", "--yes")
                        .seen())
                .doesNotContain(" was ");
    }

    @Test
    void theEndOfARecallIsAskedFor() {
        assertThat(run("unrecall", "acme/kit:1.1.0").seen()).contains("To do it, add --yes");
        recalled("list", "--check", "--project", in(project));

        ok("unrecall", "acme/kit:1.1.0", "--yes");

        ok("list", "--check", "--project", in(project));
    }

    @Test
    void anUpdateOfAnotherRangeLeavesIt() {
        ok("add", "acme/kit:^1.0", "--project", in(project));

        assertThat(project.resolve(PLACE + "/SKILL.md")).content().contains("good");
        ok("install", "--frozen", "--project", in(project));
    }
}
