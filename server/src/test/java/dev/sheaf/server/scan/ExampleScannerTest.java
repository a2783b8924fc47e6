package dev.sheaf.server.scan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OneStack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The scanner of packaging/scanner, with a program in the place of yara.
@OneStack
class ExampleScannerTest extends AssetScenario {
    private static final int WAIT = 60; // seconds
    private static final String YARA = """
            #!/bin/sh
            for last; do :; done
            grep -rl 'X5O-TEST-PATTERN' "$last" | sed 's/^/Pattern /'
            exit 0
            """;

    @Override
    public Map<String, String> settings() {
        return Map.of("webhook-http", "true", "webhook-private-addresses", "true");
    }

    @Test
    void itAllowsWhatIsCleanAndBlocksWhatAProgramFinds(@TempDir Path folder) throws Exception {
        app().person("owner@example.test", "default", "owner");
        app().person("admin@example.test", "default", "admin");
        app().post("/v1/organizations/default/namespaces", app().admin(), "{\"handle\": \"example-scan\"}");
        int port = freePort();
        var set = app().send("PUT", "/v1/namespaces/example-scan/policy", app().admin(), """
                {"scan": {"scanners": [{"name": "yara", "url": "http://127.0.0.1:%d/"}]}}""".formatted(port));
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        String secret = requireNonNull(requireNonNull(set.as(PolicyRecord.class).scan())
                .scanners()
                .getFirst()
                .secret());
        var scanner = start(folder, port, secret);
        try {
            push("clean", "Reads a file.");
            push("infected", "Fine, and X5O-TEST-PATTERN.");

            assertThat(ended("clean").state()).isEqualTo("published");
            var infected = ended("infected");
            assertThat(infected.state()).isEqualTo("rejected");
            assertThat(infected.findings()).singleElement().satisfies(finding -> {
                assertThat(finding.rule()).isEqualTo("yara-Pattern");
                assertThat(finding.path()).isEqualTo("notes.md");
                assertThat(finding.scanner()).isEqualTo("yara");
            });
        } finally {
            scanner.destroy();
            scanner.waitFor(WAIT, TimeUnit.SECONDS);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Process start(Path folder, int port, String secret) throws IOException {
        var programs = Files.createDirectory(folder.resolve("programs"));
        Files.writeString(programs.resolve("yara"), YARA);
        Files.setPosixFilePermissions(programs.resolve("yara"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("rules.yar"), "");
        var builder = new ProcessBuilder(
                        "python3",
                        Path.of("../packaging/scanner/scanner.py")
                                .toAbsolutePath()
                                .toString(),
                        "--port",
                        Integer.toString(port),
                        "--rules",
                        folder.resolve("rules.yar").toString())
                .redirectErrorStream(true);
        builder.environment().put("SCANNER_SECRET", secret);
        builder.environment().put("SHEAF_URL", app().url());
        builder.environment().put("PATH", programs + ":/usr/bin:/bin");
        var process = builder.start();
        var out = process.inputReader(StandardCharsets.UTF_8);
        assertThat(out.readLine()).contains("listening");
        return process;
    }

    private void push(String bundle, String text) {
        var reply = app().post(bundle("example-scan/" + bundle) + ":push", app().admin(), """
                {"name": "Kit", "version": "1.0.0",
                 "manifest": [{"logicalPath": "notes.md", "contentText": "%s"}]}""".formatted(text));
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
    }

    private ReviewRecord ended(String bundle) {
        Eventually.within(
                Duration.ofSeconds(WAIT), () -> !review(bundle).state().equals("held"));
        return review(bundle);
    }

    private ReviewRecord review(String bundle) {
        return app().get(bundle("example-scan/" + bundle) + "/versions/1.0.0/review", app().admin())
                .as(ReviewRecord.class);
    }
}
