package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The walk of docs/queues.md, where no other program is needed.
@Tag("programs")
class QueueWalkTest {
    @TempDir
    private Path folder;

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/queues.md"));
    }

    /// A file of the page, as its reader writes it.
    private Path written(String name) throws IOException {
        var found = Pattern.compile("(?s)cat > " + Pattern.quote(name) + " <<'END'\n(.*?)\nEND\n")
                .matcher(page());
        assertThat(found.find()).as(name).isTrue();
        Path file = Files.writeString(folder.resolve(name), found.group(1) + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void theWalkWorks() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            var recorder = new Recorder(folder.resolve("home"), app.url());
            recorder.environment().put("SHEAF_API_KEY", app.admin());
            recorder.environment().put("PATH", System.getenv("PATH"));
            done(recorder, "queue", "create", "checks", "--max-attempts", "2", "--retry", "1s..2s");
            String template = written("check.liquid").toString();
            assertThat(done(recorder, "queue", "instruction", "render", "checks", template, "{\"name\": \"acme/kit\"}"))
                    .isEqualTo("Check acme/kit and say what you find.\n");
            done(recorder, "queue", "instruction", "add", "checks", template);
            String id = done(recorder, "jobs", "add", "checks", "{\"name\": \"acme/other\"}", "--format", "quiet")
                    .strip();

            done(recorder, "work", "checks", "--once", "--", written("check.sh").toString());
            assertThat(done(recorder, "jobs", "show", id))
                    .contains("was told: Check acme/other and say what you find.");

            String broken = done(recorder, "jobs", "add", "checks", "{\"name\": \"acme/broken\"}", "--format", "quiet")
                    .strip();
            done(recorder, "work", "checks", "--max-jobs", "2", "--", "sh", "-c", "echo no such bundle >&2; exit 1");
            assertThat(done(recorder, "jobs", "show", broken, "--attempts", "--json"))
                    .contains("\"status\" : \"dead\"", "\"number\" : 2", "no such bundle");
            assertThat(recorder.run("", false, "jobs", "retry", "--all", "checks", "--status", "failed,dead")
                            .seen())
                    .isEqualTo("! enqueued 1 job again\n");
            done(
                    recorder,
                    "work",
                    "checks",
                    "--once",
                    "--",
                    folder.resolve("check.sh").toString());
            assertThat(done(recorder, "jobs", "show", broken, "--format", "quiet"))
                    .isEqualTo("completed\n");
        }
    }

    @Test
    void aPublishedVersionBecomesAJobWhoseSubjectCanBePulled() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            var recorder = new Recorder(folder.resolve("home"), app.url());
            recorder.environment().put("SHEAF_API_KEY", app.admin());
            recorder.environment().put("PATH", System.getenv("PATH"));
            done(recorder, "queue", "create", "lint");
            done(recorder, "queue", "route", "add", "lint", "lint-new", "--type", "version.published");

            lintKey(recorder);

            app.push("acme/kit", "1.0.0", "private", "---\\nname: kit\\ndescription: Work.\\n---\\nWork.\\n");
            Eventually.within(
                    Duration.ofSeconds(60),
                    () -> recorder.run("", false, "jobs", "list", "lint", "--format", "quiet")
                                    .out()
                                    .lines()
                                    .count()
                            == 1);

            String job = done(recorder, "jobs", "list", "lint", "--json");
            assertThat(job).contains("\"ceType\" : \"version.published\"", "\"ceSubject\" : \"acme/kit:1.0.0\"");
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/jq")), "there is no jq");
            done(recorder, "work", "lint", "--once", "--", written("lint.sh").toString());
            assertThat(done(recorder, "jobs", "list", "lint", "--json")).contains("\"status\" : \"completed\"");
        }
    }

    /// What `lint.sh` needs: a key, and `sheaf` as a program.
    private void lintKey(Recorder recorder) throws IOException {
        Path home = folder.resolve("home");
        recorder.environment().put("HOME", home.toString());
        String key = done(recorder, "keys", "create", "linter", "--scope", "read", "--format", "quiet");
        Files.writeString(Files.createDirectories(home.resolve(".config")).resolve("lint-key"), key);
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Path sheaf = Files.writeString(
                programs.resolve("sheaf"),
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' dev.sheaf.cli.Main \"$@\"\n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path")));
        Files.setPosixFilePermissions(sheaf, PosixFilePermissions.fromString("rwxr-xr-x"));
        recorder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
    }

    @Test
    void aMessageOfSeveralLinesKeepsThemAndListsShowTheLast() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            var recorder = new Recorder(folder.resolve("home"), app.url());
            recorder.environment().put("SHEAF_API_KEY", app.admin());
            recorder.environment().put("PATH", System.getenv("PATH"));
            done(recorder, "queue", "create", "checks", "--max-attempts", "1");
            String job = done(recorder, "jobs", "add", "checks", "{}", "--format", "quiet")
                    .strip();
            recorder.run("", false, "work", "checks", "--once", "--", "sh", "-c", "echo one >&2; echo two >&2; exit 3");

            assertThat(done(recorder, "jobs", "list", "checks", "--error", "exit_3"))
                    .contains("exit_3: … two\n")
                    .doesNotContain("one");
            assertThat(done(recorder, "jobs", "show", job, "--attempts"))
                    .containsPattern("message +one\n +two\n")
                    .contains("exit_3: … two\n")
                    .containsPattern("try 1 +one\n +two\n");
        }
    }

    @Test
    void whatDoesNotExistYetIsNoted() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            var recorder = new Recorder(folder.resolve("home"), app.url());
            recorder.environment().put("SHEAF_API_KEY", app.admin());
            app.push("acme/kit", "1.0.0", "private", "one");
            done(recorder, "queue", "create", "checks");

            assertThat(recorder.run("", false, "keys", "create", "one", "--queue", "checks", "--queue", "nope")
                            .seen())
                    .contains("note: the queue nope does not exist yet")
                    .doesNotContain("the queue checks does not");
            assertThat(recorder.run("", false, "jobs", "add", "checks", "--bundle", "acme/kit:9.0.0")
                            .seen())
                    .contains("note: the bundle has no version acme/kit:9.0.0 now");
            assertThat(recorder.run("", false, "jobs", "add", "checks", "--bundle", "acme/kit:^1")
                            .seen())
                    .doesNotContain("note: ");
        }
    }

    /// The client asks for such a bundle in one request.
    @Test
    void aPrivateBundleOfTwoFilesIsThereForItsJob() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            var recorder = new Recorder(folder.resolve("home"), app.url());
            recorder.environment().put("SHEAF_API_KEY", app.admin());
            recorder.environment().put("PATH", System.getenv("PATH"));
            Path kit = Files.createDirectory(folder.resolve("kit"));
            Files.writeString(kit.resolve("one.md"), "the first");
            Files.writeString(kit.resolve("two.md"), "the second");
            done(recorder, "init", "acme/kit", kit.toString());
            done(recorder, "push", kit.toString(), "acme/kit:1.0.0");
            done(recorder, "queue", "create", "checks", "--bundle", "acme/kit:^1");
            done(recorder, "jobs", "add", "checks", "{}");
            recorder.environment()
                    .put("SHEAF_CACHE_DIR", folder.resolve("other-cache").toString());

            assertThat(done(recorder, "work", "checks", "--once", "--", "cat", "one.md", "two.md"))
                    .startsWith("completed");
            assertThat(done(recorder, "jobs", "list", "checks", "--json")).contains("the firstthe second");
        }
    }

    private static String done(Recorder recorder, String... arguments) {
        var ran = recorder.run("", false, arguments);
        assertThat(ran.status()).as(ran.seen()).isZero();
        return ran.out();
    }
}
