package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each exit status, as the process has it.
@Tag("slow")
class ExitStatusTest {
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private final Set<Integer> seen = new HashSet<>();

    private void status(int expected, TinyRegistry registry, String... arguments) throws Exception {
        var command = new ArrayList<>(ChildProcess.sheaf());
        command.addAll(List.of(arguments));
        var ran = new ChildProcess(folder, Map.of("SHEAF_URL", registry.url().toString())).run("", command);
        assertThat(ran.status())
                .as("%s: %s%s", Arrays.toString(arguments), ran.out(), ran.err())
                .isEqualTo(expected);
        if (expected != 0) {
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).startsWith("sheaf: ").doesNotContain("Exception", "\tat ");
        }
        seen.add(expected);
    }

    private static void refusing(TinyRegistry registry, int answer, String code) {
        registry.replace(":resolve", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            TinyRegistry.problem(exchange, answer, code, "the sentence");
        });
    }

    @Test
    void eachStatusIsThatOfTheProcess() throws Exception {
        String out = folder.resolve("out").toString();
        String lock = folder.resolve("sheaf.lock").toString();
        try (var registry = TinyRegistry.start()) {
            registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));

            status(0, registry, "resolve", "acme/kit", "--format", "quiet");
            status(2, registry, "nonsense");
            status(10, registry, "pull", "acme/kit", "--frozen", "--lock-file", lock, "-o", out);
            registry.content.blobs.put(Digest.sha256(SKILL).toString(), "# Skull\n".getBytes(StandardCharsets.UTF_8));
            status(7, registry, "pull", "acme/kit", "-o", out);
            for (var answer :
                    Map.of(501, 1, 404, 3, 401, 4, 403, 5, 409, 6, 429, 8).entrySet()) {
                refusing(registry, answer.getKey(), "code");
                status(answer.getValue(), registry, "resolve", "acme/kit", "--refresh");
            }
            refusing(registry, 410, "version-recalled");
            status(11, registry, "resolve", "acme/kit", "--refresh");
        }
        var gone = TinyRegistry.start();
        gone.close();
        status(9, gone, "resolve", "acme/kit");
        seen.add(ExitCode.INTERRUPTED.status()); // below
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ExitCode.values()).map(ExitCode::status).toList());
    }

    /// Stops a command while the registry does not answer to a path; its standard error.
    private String stopped(TinyRegistry registry, String path, String... arguments) throws Exception {
        assumeFalse(isInterruptIgnored(), "SIGINT is ignored here, as behind nohup, and so by what is started here");
        var asked = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        registry.replace(path, exchange -> {
            asked.countDown();
            await(never);
        });
        var command = new ArrayList<>(ChildProcess.sheaf());
        command.addAll(List.of(arguments));
        command.addAll(List.of("--url", registry.url().toString()));
        Path said = folder.resolve("said");
        var builder = new ProcessBuilder(command).redirectError(said.toFile());
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("SHEAF_CACHE_DIR", folder.resolve("cache").toString());
        var process = builder.start();
        try {
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();

            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ExitCode.INTERRUPTED.status());
            assertThat(process.getInputStream().readAllBytes()).isEmpty();
            return Files.readString(said);
        } finally {
            process.destroyForcibly();
            never.countDown();
        }
    }

    @Test
    void interruptedIs130AndLeavesNothingBehind() throws Exception {
        Path out = folder.resolve("out");
        try (var registry = TinyRegistry.start()) {
            registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));

            assertThat(stopped(registry, "/blobs/", "pull", "acme/kit", "-o", out.toString()))
                    .isEqualTo("sheaf: stopped; no file in " + out
                            + " was changed; run the same command again to continue\n");
            assertThat(Files.exists(out)).isFalse();
        }
    }

    @Test
    void whoStopsAPushIsToldWhetherItIsPublished() throws Exception {
        String kit = Files.createDirectories(folder.resolve("kit")).toString();
        Files.write(folder.resolve("kit/a.txt"), SKILL);
        Files.writeString(
                folder.resolve("kit/sheaf.yaml"), "{namespace: acme, slug: kit, version: 1.0.0, license: MIT}");
        try (var registry = TinyRegistry.start()) {
            assertThat(stopped(registry, "/blobs/", "push", kit, "--oci"))
                    .isEqualTo("sheaf: stopped; nothing was published; run the same command again to continue\n");
        }
        try (var registry = TinyRegistry.start()) {
            assertThat(stopped(registry, "/manifests/", "push", kit, "--oci"))
                    .startsWith("sheaf: stopped; the registry was publishing acme/kit:1.0.0; it may or may not exist")
                    .contains("; run the same command again to be sure");
        }
        try (var registry = TinyRegistry.start()) {
            assertThat(stopped(registry, ":push", "push", kit)).contains("acme/kit:1.0.0; it may or may not exist now");
        }
        try (var registry = TinyRegistry.start()) {
            assertThat(stopped(registry, "/bundles/kit", "push", kit, "--oci"))
                    .isEqualTo(
                            "sheaf: stopped; acme/kit:1.0.0 is published; its tags and description may be missing: run the"
                                    + " same command again to complete them\n");
            assertThat(registry.content.versions).isEmpty(); // an OCI push leaves its manifest here
            assertThat(registry.content.manifests).hasSize(1);
        }
    }

    /// By this process, and so by those that it starts, where the system tells.
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1 << 1) != 0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
