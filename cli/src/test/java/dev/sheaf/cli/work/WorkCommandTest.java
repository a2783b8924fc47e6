package dev.sheaf.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.client.testing.TinyQueue;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What `sheaf work` makes of what commands do.
@Tag("programs")
class WorkCommandTest extends CommandLineFixture {
    private TinyQueue queue;

    @BeforeEach
    void begin() {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "there is no /bin/sh");
        queue = new TinyQueue(registry);
        environment.put("PATH", System.getenv("PATH"));
        environment.put("SHEAF_API_KEY", "shf_theWorkersOwnKey0000000000000000");
    }

    private Path script(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("script-" + System.nanoTime() + ".sh"), "#!/bin/sh\n" + text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path work() {
        return folder.resolve("work");
    }

    private Ran work(String script, String... options) throws IOException {
        var words = new ArrayList<>(List.of("work", "checks", "--work-dir", work().toString()));
        words.addAll(List.of(options));
        words.addAll(List.of("--", script(script).toString()));
        return run(words.toArray(String[]::new));
    }

    private JsonNode only(String verb) {
        assertThat(queue.seen(verb)).as(verb).hasSize(1);
        return queue.seen(verb).getFirst().body();
    }

    @Test
    void aCommandFindsAllThatItNeedsAndItsOutputIsTheJobs() throws IOException {
        String id = queue.add(Map.of("name", "Ada"));
        queue.execution(Map.of("environment", Map.of("JOB_GREETING", "hello")));

        var ran = work("""
                printf '{"read": "%s", "said": "%s", "id": "%s", "dir": "%s", "key": "%s", "input": %s}' \\
                    "$(cat)" "$JOB_GREETING" "$SHEAF_JOB_ID" "$(basename "$(pwd)")" "$SHEAF_API_KEY" \\
                    "$(sed 's/.*"inputData":\\({[^}]*}\\).*/\\1/' "$SHEAF_JOB_FILE")" > "$SHEAF_OUTPUT_FILE"
                """, "--once");

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(only("complete").path("outputData").toString())
                .isEqualTo("{\"read\":\"Do it.\",\"said\":\"hello\",\"id\":\"" + id
                        + "\",\"dir\":\"work\",\"key\":\"\",\"input\":{\"name\":\"Ada\"}}");
        assertThat(ran.out()).isEqualTo("completed  " + id + "\n");
        assertThat(work()).isEmptyDirectory();
    }

    @Test
    void claimsNothingWithoutACacheForBundles() throws IOException {
        queue.add(1);
        Path cache = Files.createDirectories(folder.resolve("broken"));
        Path file = Files.writeString(cache.resolve("blobs"), "not a folder");
        environment.put("SHEAF_CACHE_DIR", cache.toString());

        var ran = work("exit 0", "--once");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("no job was claimed", file + " is not a folder", "SHEAF_CACHE_DIR");
        assertThat(queue.seen("claim")).isEmpty();
    }

    @Test
    void saysWhyItCannotWorkThere() throws IOException {
        Path file = Files.writeString(work(), "not a folder");

        var ran = work("exit 0", "--once");

        assertThat(ran.err())
                .contains(file + ": it is not a folder, or a link to none; choose another with --work-dir");
    }

    @Test
    void theExitStatusDecides() throws IOException {
        String script = """
                case "$(cat "$SHEAF_JOB_FILE")" in
                  *'"inputData":1'*) echo done;;
                  *'"inputData":2'*) echo "no luck" >&2; exit 3;;
                  *'"inputData":3'*) exit 65;;
                  *'"inputData":4'*) exit 75;;
                  *) kill -9 $$;;
                esac
                """;
        for (int i = 1; i <= 5; i++) {
            queue.add(i);
        }

        var ran = work(script, "--until-empty", "--format", "quiet");

        assertThat(ran.status()).as("some failed").isEqualTo(1);
        assertThat(only("complete").path("outputData").path("stdout").asString())
                .isEqualTo("done\n");
        assertThat(queue.seen("fail").stream().map(call -> call.body().toString()))
                .containsExactly(
                        "{\"attemptNumber\":1,\"errorCode\":\"exit_3\",\"errorMessage\":\"no luck\",\"shouldRetry\":true}",
                        "{\"attemptNumber\":1,\"errorCode\":\"exit_65\",\"shouldRetry\":false}",
                        "{\"attemptNumber\":1,\"errorCode\":\"exit_137\",\"shouldRetry\":true}");
        assertThat(queue.seen("release")).hasSize(1);
        assertThat(ran.out().lines().map(line -> line.split(" ")[0]))
                .containsExactly("completed", "failed", "failed", "released", "failed");
    }

    @Test
    void aFailureIsDescribedByTheErrorsOrElseByTheOutput() throws IOException {
        queue.add(1);
        work("echo useful output; exit 1", "--once");
        queue.add(2);
        var ran = work("echo output; printf 'at the start\\ncannot open config\\n' >&2; exit 1", "--once");

        assertThat(queue.seen("fail").stream()
                        .map(call -> call.body().path("errorMessage").asString()))
                .containsExactly("useful output", "at the start\ncannot open config");
        assertThat(ran.out())
                .startsWith("failed  ")
                .endsWith(" exit_1: … cannot open config (try 1 of 3, another follows)\n");
    }

    @Test
    void aTimeLimitIsNamedWithTheLastWordsOfTheCommand() throws IOException {
        queue.add(1);
        queue.timeout(1_000);

        work("trap 'echo got TERM, cleaning up >&2; exit 1' TERM; while :; do sleep 0.1; done", "--once");

        assertThat(only("fail").path("errorMessage").asString())
                .startsWith("the job ran for longer than its time limit of 1 s. Its last output:\n")
                .endsWith("\ngot TERM, cleaning up");
    }

    @Test
    void theLastTryIsToldFromOthers() throws IOException {
        String id = queue.add(1);
        queue.next(
                "fail",
                exchange -> TinyRegistry.send(exchange, 200, """
                {"id": "%s", "status": "dead", "attemptNumber": 3, "maxAttempts": 3,
                 "createdAt": "2026-01-02T03:04:05Z"}""".formatted(id).getBytes(StandardCharsets.UTF_8)));

        assertThat(work("exit 1", "--once").out()).isEqualTo("dead  " + id + " exit_1 (try 3 of 3, the last)\n");
    }

    @Test
    void jobsThatFailBeforeATryCount() throws IOException {
        queue.next("claim", exchange -> {
            exchange.getResponseHeaders().set("Sheaf-Failed-Jobs", "2");
            exchange.sendResponseHeaders(204, -1);
        });

        var ran = work("exit 0", "--until-empty");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains("2 jobs failed before a try", "sheaf jobs list checks --error bundle_gone")
                .doesNotContain("no jobs to do");
    }

    @Test
    void aWorkerSaysThatJobsAreHeldBackFromItsKey() throws IOException {
        queue.next("claim", exchange -> {
            exchange.getResponseHeaders().set("Sheaf-Held-Back-Until", "2026-01-02T03:04:05.678Z");
            exchange.sendResponseHeaders(204, -1);
        });

        var ran = work("exit 0", "--once");

        assertThat(ran.status()).isZero();
        assertThat(ran.err())
                .contains("jobs that this key returned; it gets the first of them at 2026-01-02T03:04:05Z");
    }

    @Test
    void muchOutputIsReadAndItsEndIsKept() throws IOException {
        queue.add(1);

        work("""
                i=0
                head -c 50000000 /dev/zero | tr '\\0' 'x'
                head -c 5000000 /dev/zero | tr '\\0' 'e' >&2
                echo; echo the end
                """, "--once");

        var output = only("complete").path("outputData");
        assertThat(output.path("truncated").asBoolean()).isTrue();
        assertThat(output.path("stdout").asString()).hasSize(32 << 10).endsWith("xx\nthe end\n");
    }

    @Test
    void controlBytesAndBytesThatAreNoTextStayWithinTheLimit() throws IOException {
        queue.add(1);
        queue.add(2);

        work(
                "head -c 200000 /dev/zero; head -c 100000 /dev/urandom; exit $(($SHEAF_JOB_ATTEMPT - 1))",
                "--until-empty");

        assertThat(queue.seen("complete")).hasSize(2);
        assertThat(queue.seen("complete").getFirst().body().toString().getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(256 << 10);
    }

    @Test
    void outputThatIsNoJsonOrTooLargeFailsTheJob() throws IOException {
        queue.add(1);
        work("echo nonsense > \"$SHEAF_OUTPUT_FILE\"", "--once");
        queue.add(2);
        work("(printf '\"'; head -c 300000 /dev/zero | tr '\\0' 'x'; printf '\"') > \"$SHEAF_OUTPUT_FILE\"", "--once");
        queue.add(3);
        work("ln -s /etc/hostname \"$SHEAF_OUTPUT_FILE\"; echo printed", "--once");

        assertThat(queue.seen("fail").stream()
                        .map(call -> call.body().path("errorCode").asString()))
                .containsExactly("output_invalid", "output_too_large");
        assertThat(only("complete").path("outputData").path("stdout").asString())
                .isEqualTo("printed\n");
    }

    @Test
    void aCommandThatIgnoresSignalsIsEndedWithItsChildren() throws IOException {
        queue.add(1);
        queue.timeout(500);
        Path pids = folder.resolve("pids");

        long begin = System.nanoTime();
        var ran = work("""
                trap '' TERM INT HUP
                (trap '' TERM; echo $$ >> %1$s; exec sleep 300) &
                setsid sh -c "trap '' TERM; echo \\$\\$ >> %1$s; sleep 300" &
                echo $$ >> %1$s
                while :; do sleep 300; done
                """.formatted(pids), "--once", "--grace", "PT0.5S");

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(15));
        assertThat(ran.status()).isEqualTo(1);
        assertThat(only("fail").path("errorCode").asString()).isEqualTo("timeout");
        assertThat(ran.out()).startsWith("failed  ").hasLineCount(1);
        assertThat(Files.readAllLines(pids))
                .hasSize(3)
                .allSatisfy(pid -> assertThat(alive(pid)).isFalse());
        assertThat(work()).isEmptyDirectory();
    }

    @Test
    void whatACommandLeavesRunningEndsWithIt() throws IOException {
        queue.add(1);
        Path pids = folder.resolve("pids");

        work("sleep 300 & echo $! > %1$s; setsid sleep 300 & echo $! >> %1$s".formatted(pids), "--once");

        assertThat(queue.seen("complete")).hasSize(1);
        assertThat(Files.readAllLines(pids))
                .hasSize(2)
                .allSatisfy(pid -> assertThat(alive(pid)).isFalse());
    }

    /// One that was ended and that nobody waited for is no more alive.
    private static boolean alive(String pid) {
        try {
            return !Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aQueueSetsNoVariableThatDecidesWhichCodeRuns() throws IOException {
        queue.add(1);
        queue.execution(Map.of(
                "environment",
                Map.of(
                        "PATH",
                        "/evil",
                        "LD_PRELOAD",
                        "/evil.so",
                        "SHEAF_JOB_ID",
                        "x",
                        "BASH_ENV",
                        "/evil",
                        "A-B",
                        "1",
                        "PYTHONUSERBASE",
                        "/evil",
                        "JOB_LEVEL",
                        "1")));
        String script = "echo \"$PATH|$LD_PRELOAD|$BASH_ENV|$PYTHONUSERBASE|$JOB_LEVEL\"";

        var ran = work(script, "--until-empty");

        assertThat(only("complete").path("outputData").path("stdout").asString())
                .isEqualTo(environment.get("PATH") + "||||1\n");
        assertThat(ran.err())
                .containsOnlyOnce("some variables of the queue are left out, because they may decide which code runs:"
                        + " A-B, BASH_ENV, LD_PRELOAD, PATH, PYTHONUSERBASE, SHEAF_JOB_ID;"
                        + " to pass them: --env PYTHONUSERBASE\n");
    }

    @Test
    void aQueueSetsTheVariablesThatTheOperatorNames() throws IOException {
        queue.execution(Map.of("environment", Map.of("PYTHONUSERBASE", "/named", "JOB_LEVEL", "1")));
        String script = "echo \"$PYTHONUSERBASE|$JOB_LEVEL\"";

        for (String named : List.of("PYTHONUSERBASE", "*")) {
            queue.add(2);
            assertThat(work(script, "--once", "--env", named).err()).doesNotContain("to pass them");
            assertThat(queue.seen("complete")
                            .getLast()
                            .body()
                            .path("outputData")
                            .path("stdout")
                            .asString())
                    .isEqualTo("/named|1\n");
        }
        assertThat(work(script, "--once", "--env", "LD_PRELOAD").status()).isEqualTo(2);
    }

    @Test
    void aWorkerThatFindsNoJobSaysSo() throws IOException {
        assertThat(work("exit 1", "--once").err()).endsWith("there are no jobs to do\n");
        queue.next("queues", exchange -> TinyRegistry.send(exchange, 200, """
                {"data": [{"id": "01900000-0000-7000-8000-0000000000aa", "slug": "checks", "name": "Checks",
                           "status": "paused", "habitatId": "01900000-0000-7000-8000-0000000000bb"}],
                 "meta": {"hasMore": false}}""".getBytes(StandardCharsets.UTF_8)));

        assertThat(work("exit 1", "--until-empty").err())
                .endsWith("the queue is paused; to resume it: sheaf queue resume checks\n");
    }

    @Test
    void whatAJobSaysIsNeverACommand() throws IOException {
        Path mark = folder.resolve("mark");
        queue.add("$(touch " + mark + "); `touch " + mark + "`; ' ; touch " + mark + " #");
        queue.execution(Map.of(
                "renderedInstruction",
                "$(touch " + mark + ")",
                "workingDirectory",
                "../../..",
                "environment",
                Map.of()));
        work("cat; cat \"$SHEAF_JOB_FILE\"", "--once");
        queue.add("$(touch " + mark + ")");
        queue.execution(Map.of("renderedInstruction", "$(touch " + mark + ")"));

        work("cat; cat \"$SHEAF_JOB_FILE\"", "--once");

        assertThat(mark).doesNotExist();
        assertThat(only("fail").path("errorCode").asString()).isEqualTo("working_directory");
        assertThat(only("complete").path("outputData").path("stdout").asString())
                .startsWith("$(touch ")
                .contains("\"inputData\":\"$(touch ");
    }

    @Test
    void aBundleIsThereForEachJobAndFetchedOnce() throws IOException {
        registry.content.publish("acme/kit:1.0.0", Map.of("run.sh", "echo kit".getBytes(StandardCharsets.UTF_8)));
        String digest = Objects.requireNonNull(registry.content.versions.get("acme/kit"))
                .ociDigest();
        queue.execution(Map.of(
                "bundle",
                Map.of(
                        "ref",
                        "acme/kit:^1",
                        "digest",
                        digest,
                        "ociPinnedRef",
                        "x/acme/kit@" + digest,
                        "token",
                        "shj_token")));
        for (int i = 0; i < 3; i++) {
            queue.add(i);
        }

        var ran = work("ls; sh run.sh; echo changed > run.sh; chmod 0 . ", "--until-empty");

        assertThat(queue.seen("complete"))
                .as(ran.err())
                .hasSize(3)
                .allSatisfy(call -> assertThat(
                                call.body().path("outputData").path("stdout").asString())
                        .contains("run.sh\nkit\n"));
        assertThat(registry.requests("/blobs/")).hasSize(1);
        assertThat(registry.requests("acme/kit").getFirst().headers().getFirst("Authorization"))
                .isEqualTo("Bearer shj_token");
        assertThat(work()).isEmptyDirectory();
    }

    @Test
    void aProgramThatIsNotThereIsSaidBeforeAnyJobIsTaken() {
        queue.add(1);

        var ran = run("work", "checks", "--", "no-such-program-here");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).startsWith("sheaf: cannot find the program no-such-program-here");
        assertThat(queue.seen("claim")).isEmpty();
    }
}
