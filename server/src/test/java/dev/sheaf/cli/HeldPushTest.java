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

/// A publisher, a reviewer and a consumer, from the policy to the installation.
@SuppressWarnings("NullAway.Init") // set before each test
class HeldPushTest {
    private TestApp app;
    private Recorder recorder;
    private Path folder;
    private String publisher;
    private String reviewer;

    @BeforeEach
    void begin(@TempDir Path data, @TempDir Path own) {
        app = TestApp.start(data);
        folder = own;
        recorder = new Recorder(own.resolve("home"), app.url());
        publisher = app.person("publisher@held.test", "default", "publisher");
        reviewer = app.person("reviewer@held.test", "default", "owner");
        app.post("/v1/organizations/default/namespaces", app.admin(), "{\"handle\": \"careful\"}");
        assertThat(ok(app.admin(), "review", "policy", "careful", "--approvals", "1"))
                .contains("1 approval by admin, owner, not by who pushed it, within P14D");
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private Recorder.Ran run(String key, String... line) {
        recorder.environment().put("SHEAF_API_KEY", key);
        return recorder.run("", false, line);
    }

    private String ok(String key, String... line) {
        var run = run(key, line);
        assertThat(run.status()).as(run.seen()).isZero();
        return run.seen();
    }

    private String skill(String version) throws IOException {
        Path skill = Files.createDirectories(folder.resolve(version)).resolve("SKILL.md");
        Files.writeString(skill, "---\nname: kit\ndescription: Does things.\n---\n" + version + "\n");
        return folder.resolve(version).toString();
    }

    @Test
    void nobodyInstallsItBeforeSomebodyElseHasReadIt() throws IOException {
        String project = Files.createDirectories(folder.resolve("project")).toString();
        String consumer = app.key("consumer", "read");

        assertThat(ok(publisher, "push", skill("1.0.0"), "careful/kit:1.0.0", "--message", "First words"))
                .contains("held for review, not published: careful/kit:1.0.0", "/careful/kit/reviews/");
        assertThat(run(consumer, "add", "careful/kit", "--agent", "claude-code", "--project", project)
                        .status())
                .isEqualTo(ExitCode.NOT_FOUND.status());
        assertThat(ok(reviewer, "review", "ls")).contains("careful/kit:1.0.0", "held", "0/1", "First words");
        assertThat(ok(reviewer, "review", "show", "careful/kit:1.0.0")).contains("First words", "admin, owner");
        String diff = ok(reviewer, "review", "diff", "careful/kit:1.0.0");
        assertThat(diff).contains("added  SKILL.md", "+1.0.0", "to approve exactly this: sheaf review approve");
        String digest = diff.replaceFirst("(?s).*--digest (sha256:[0-9a-f]{64}).*", "$1");
        var own = run(publisher, "review", "approve", "careful/kit:1.0.0", "--digest", digest);
        assertThat(own.status()).as(own.seen()).isEqualTo(ExitCode.FORBIDDEN.status());
        assertThat(run(app.admin(), "review", "approve", "careful/kit:1.0.0", "--digest", digest)
                        .seen())
                .contains("only people decide on reviews");

        var other = run(reviewer, "review", "approve", "careful/kit:1.0.0", "--digest", "0123456789");
        assertThat(other.status()).as(other.seen()).isEqualTo(ExitCode.CONFLICT.status());
        assertThat(ok(reviewer, "review", "approve", "careful/kit:1.0.0", "--digest", digest.substring(7, 20)))
                .contains("published careful/kit:1.0.0");

        ok(consumer, "add", "careful/kit", "--agent", "claude-code", "--project", project);
        assertThat(Path.of(project, ".claude/skills/kit/SKILL.md")).content().contains("1.0.0");
        assertThat(ok(publisher, "push", skill("1.0.0"), "careful/kit:1.0.0", "--message", "First words"))
                .contains("was already at");
    }

    @Test
    void aPushThroughTheRegistryIsHeldToo() throws IOException {
        assertThat(ok(publisher, "push", "--oci", skill("1.0.0"), "careful/kit:1.0.0"))
                .contains("held for review, not published: careful/kit:1.0.0");

        var rejected = ok(reviewer, "review", "reject", "careful/kit:1.0.0", "--reason", "Says too little");
        assertThat(rejected).contains("rejected careful/kit:1.0.0");
        assertThat(ok(publisher, "review", "ls", "--all", "--mine")).contains("rejected");
        ok(publisher, "push", skill("1.0.0"), "careful/kit:1.0.0");
        assertThat(ok(publisher, "review", "withdraw", "careful/kit:1.0.0")).contains("withdrew careful/kit:1.0.0");
    }

    @Test
    void aPolicyIsShownAndEnded() {
        assertThat(ok(app.admin(), "review", "policy", "careful", "--off"))
                .contains("later", ": no approval; findings change nothing");
        assertThat(ok(reviewer, "review", "policy", "careful")).contains("1 approval by admin, owner");
        assertThat(run(app.admin(), "review", "policy", "careful", "--by", "owner")
                        .seen())
                .contains("say how many --approvals");
    }
}
