package dev.sheaf.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.cli.Main;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.credentials.Keychain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What each form of output holds, to the letter: scripts read it.
class OutputTest extends CommandLineFixture {
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);

    /// Digest of the manifest of acme/kit:1.0.0 with this one file.
    private String publish() {
        return registry.content
                .publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL))
                .ociDigest();
    }

    @Test
    void whoAskedToWaitIsNotToldOfIt() {
        var err = new ByteArrayOutputStream();
        var shell = new Shell(
                InputStream.nullInputStream(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                Map.of(),
                Directories.of(Map.of(), "Linux", folder),
                Keychain.NONE);
        var output = new Output(shell);
        var display = new TransferDisplay(shell, output);

        display.waiting("http://a.example", Duration.ofSeconds(3));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("waiting for http://a.example, 3 s");

        err.reset();
        output.waitInSilence();
        display.waiting("http://a.example", Duration.ofSeconds(6));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void pullAsJson() {
        String digest = publish();
        String target = folder.resolve("out").toString();

        var pulled = run("pull", "acme/kit", "-o", target, "--format", "json");

        assertThat(pulled.out()).isEqualTo("""
                {
                  "directory" : "%s",
                  "reference" : "acme/kit:1.0.0",
                  "pinned" : "acme/kit@%s",
                  "version" : "1.0.0",
                  "digest" : "%s",
                  "sizeBytes" : 8,
                  "fetchedBytes" : 8,
                  "files" : [ {
                    "path" : "skills/a/SKILL.md",
                    "type" : "skill",
                    "digest" : "sha256:74daeff849609b74a42500aff45eb6229a086907ab1b2badae4c29ed4fc10e3c",
                    "sizeBytes" : 8,
                    "executable" : false
                  } ],
                  "refused" : [ ]
                }
                """.formatted(target, digest, digest));
        assertThat(pulled.err()).contains("pulled acme/kit:1.0.0");
    }

    @Test
    void pushAsJson() throws IOException {
        Path kit = Files.createDirectories(folder.resolve("kit/skills/a"));
        Files.write(kit.resolve("SKILL.md"), SKILL);

        var pushed = run("push", folder.resolve("kit").toString(), "acme/kit:1.0.0", "--json");

        String digest = publish();
        assertThat(pushed.out()).isEqualTo("""
                {
                  "reference" : "acme/kit:1.0.0",
                  "pinned" : "acme/kit@%s",
                  "version" : "1.0.0",
                  "digest" : "%s",
                  "files" : 1,
                  "sizeBytes" : 8,
                  "outcome" : "created"
                }
                """.formatted(digest, digest));
    }

    @Test
    void quietIsTheOneWordThatAScriptNeeds() {
        String digest = publish();
        String target = folder.resolve("out").toString();

        var resolved = run("resolve", "acme/kit", "--format", "quiet");
        var pulled = run("pull", "acme/kit", "-o", target, "--format", "quiet");

        assertThat(resolved.out()).isEqualTo("acme/kit@" + digest + "\n");
        assertThat(pulled.out()).isEqualTo(target + "\n");
        assertThat(resolved.err() + pulled.err()).isEmpty();
    }

    @Test
    void withoutATerminalALargeFileIsALine() {
        registry.content.publish("acme/kit:1.0.0", Map.of("big.bin", new byte[300 << 10], "small.txt", SKILL));
        String target = folder.resolve("out").toString();

        var pulled = run("pull", "acme/kit", "-o", target);

        assertThat(pulled.out()).isEqualTo(target + "\n");
        assertThat(pulled.err()).contains("fetched big.bin, 300.0 KiB\n").doesNotContain("small.txt", "\r", "%");
    }

    private record Written(int status, String err) {}

    /// Standard output goes to `out`.
    private Written into(OutputStream out, String... arguments) {
        var err = new ByteArrayOutputStream();
        var shell = new Shell(
                InputStream.nullInputStream(),
                new StandardOutput(out, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                Map.of("SHEAF_URL", registry.url().toString()),
                Directories.of(Map.of(), "Linux", folder.resolve("home")),
                Keychain.NONE);
        return new Written(Main.run(shell, arguments), err.toString(StandardCharsets.UTF_8));
    }

    private static OutputStream refusing(String why) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(why);
            }
        };
    }

    @Test
    void dataThatDoesNotArriveIsAFailureUnlessNobodyWantsIt() {
        publish();

        var full = into(refusing("No space left on device"), "resolve", "acme/kit", "--json");
        var head = into(refusing("Broken pipe"), "resolve", "acme/kit", "--json");
        var missing = into(refusing("No space left on device"), "resolve", "acme/none");
        var help = into(refusing("No space left on device"), "--help");

        assertThat(full)
                .isEqualTo(
                        new Written(1, "sheaf: standard output was not written completely: No space left on device\n"));
        assertThat(head).isEqualTo(new Written(0, ""));
        assertThat(missing.status()).as("nothing was to be written").isEqualTo(3);
        assertThat(help.status()).isEqualTo(1);
    }

    @Test
    void anotherFormIsMisuse() {
        var ran = run("resolve", "acme/kit", "--format", "xml");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("--format", "human, json, quiet");
    }

    @Test
    void columnsAreAsWideAsTheirValuesAndHoldNothingThatDrivesATerminal() {
        registry.replace(
                "/v1/admin/tasks",
                exchange -> dev.sheaf.client.testing.TinyRegistry.send(
                        exchange, 200, """
                {"data": [{"id": "01900000-0000-7000-8000-000000000009", "task": "gc\\u001b[31m", "dryRun": false,
                  "state": "succeeded", "unit": "links", "done": 3, "total": 9, "counts": {}, "findingsOmitted": 0,
                  "findings": [], "startedAt": "2026-01-01T00:00:00Z", "startedBy": "key:1",
                  "updatedAt": "2026-01-01T00:00:00Z"}], "meta": {"nextCursor": null, "hasMore": false}}
                """.getBytes(StandardCharsets.UTF_8)));

        assertThat(run("admin", "tasks").out()).isEqualTo("""
                ID                                    TASK     STATE      STARTED               DONE
                01900000-0000-7000-8000-000000000009  gc [31m  succeeded  2026-01-01T00:00:00Z  3 of 9 links
                """);
        assertThat(run("admin", "tasks", "--format", "quiet").out())
                .isEqualTo("01900000-0000-7000-8000-000000000009\n");
    }
}
