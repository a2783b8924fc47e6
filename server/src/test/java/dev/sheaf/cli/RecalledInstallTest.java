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

    @Test
    void anUpdateOfAnotherRangeLeavesIt() {
        ok("add", "acme/kit:^1.0", "--project", in(project));

        assertThat(project.resolve(PLACE + "/SKILL.md")).content().contains("good");
        ok("install", "--frozen", "--project", in(project));
    }
}
