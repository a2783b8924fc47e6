package dev.sheaf.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that logs everything it can is given secrets in every place where somebody could put one: none of them
/// is in its log, its refusals, its audit log, its files, a dump of its threads, or what it says of its settings.
/// [SecretKind] sees to it that no kind of secret is left out.
class SecretsInLogsTest {
    private static final String OTHER = "another-secret-of-the-settings";
    private static final String MASTER = MasterSecret.generate();
    private static final String BUCKET = "a-secret-of-the-bucket";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"debug", "trace"})
    void noSecretReachesLogsDumpsOrFiles(String level) throws Exception {
        Path data = folder.resolve("data");
        String port = freePort();
        String url = "http://127.0.0.1:" + port; // which id_tokens name
        Map<SecretKind, List<String>> secrets;
        List<String> said;
        String threads;
        ServerProcess.start(data).close(); // the first start shows the first key, as it should
        try (var server = ServerProcess.start(
                        data,
                        List.of(),
                        List.of("--log-level", level, "--port", port),
                        SecretsScenario.environment(url));
                var requests = new Requests(url)) {
            String master = Files.readString(data.resolve("secrets/master-key")).strip();
            var scenario = new SecretsScenario(requests, url, server.adminKey().expose());
            secrets = scenario.run(master);
            threads = threadsOf(server);
            said = Stream.concat(scenario.answers().stream(), server.stop().stream())
                    .toList();
        }
        assertThat(secrets.keySet()).as("one of each kind").containsExactly(SecretKind.values());
        assertThat(said).anyMatch(line -> line.contains("/v2/token")); // it does log requests
        assertThat(said).anyMatch(line -> line.contains("device.deny")); // and the audit log was read
        assertThat(threads).contains("timer-0");
        secrets.values().stream().flatMap(List::stream).forEach(secret -> {
            assertThat(said).noneMatch(line -> line.contains(secret));
            assertThat(threads).doesNotContain(secret);
            assertNotStored(data, secret);
        });
    }

    @Test
    void noKindOfSecretIsForgotten() throws Exception {
        SecretKind.assertComplete();
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    /// Rows of any table, as they lie in the file: audit, events, remembered answers and all others.
    private static void assertNotStored(Path data, String secret) {
        try (var files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("bootstrap/admin-api-key") && !file.endsWith("secrets/master-key")) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                            .as("%s", file)
                            .doesNotContain(secret);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String threadsOf(ServerProcess server) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var dump = new ProcessBuilder(jcmd, Long.toString(server.pid()), "Thread.print", "-l", "-e").start();
        return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Each setting that is secret, whichever there are.
    @Test
    void noSecretIsShownWithTheSettings() throws Exception {
        var arguments = new ArrayList<>(List.of(
                "config",
                "--database-url=jdbc:postgresql://127.0.0.1:9/x",
                "--s3-bucket=none",
                "--s3-access-key-id=somebody",
                "--oidc-issuer=https://id.acme.test",
                "--oidc-client-id=sheaf",
                "--trace-endpoint=https://traces.acme.test",
                "--public-url=https://bundles.acme.test"));
        var secrets = Arrays.stream(Setting.values())
                .filter(Setting::isSecret)
                .collect(Collectors.toMap(
                        Setting::key,
                        setting -> setting.name().contains("MASTER")
                                ? MasterSecret.generate()
                                : "a-secret-" + setting.key()));
        secrets.forEach((key, value) ->
                arguments.add("--" + key + "=" + (key.equals("trace-headers") ? "Authorization=" : "") + value));

        var ended = ServerProcess.run(arguments.toArray(String[]::new));

        assertThat(ended.output()).contains(secrets.keySet()).doesNotContain(secrets.values());
        assertThat(secrets).hasSizeGreaterThan(4);
    }

    /// What a server says that cannot reach its database or its bucket.
    @Test
    void noSecretIsInTheErrorsOfAServerThatDoesNotStart() throws Exception {
        var ended = ServerProcess.run(
                "serve",
                "--port",
                "0",
                "--log-level",
                "trace",
                "--data-dir",
                folder.resolve("none").toString(),
                "--database-url",
                "jdbc:postgresql://127.0.0.1:9/x",
                "--database-user",
                "somebody",
                "--database-password",
                OTHER,
                "--s3-bucket",
                "none",
                "--s3-endpoint",
                "http://127.0.0.1:9",
                "--s3-access-key-id",
                "somebody",
                "--s3-secret-access-key",
                BUCKET,
                "--master-key",
                MASTER);

        assertThat(ended.code()).isNotZero();
        assertThat(ended.output()).isNotBlank().doesNotContain(OTHER, BUCKET, MASTER);
    }
}
