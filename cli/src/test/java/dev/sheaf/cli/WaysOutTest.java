package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TestCertificate;
import dev.sheaf.client.testing.TinyProxy;
import dev.sheaf.client.testing.TinyRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Proxies and certificates as the environment of a real process has them.
class WaysOutTest {
    @TempDir
    Path folder;

    private ChildProcess.Ran sheaf(Map<String, String> environment, List<String> java, String... arguments)
            throws Exception {
        var all = new HashMap<>(environment);
        all.put("SHEAF_API_KEY", TinyRegistry.KEY);
        var command = new ArrayList<>(ChildProcess.sheaf(java.toArray(String[]::new)));
        command.addAll(List.of(arguments));
        return new ChildProcess(folder, all).run("", command);
    }

    @Test
    void aTunnelOpensWithThePasswordAndTheAuthorityIsTrusted() throws Exception {
        String login = "Basic " + Base64.getEncoder().encodeToString("user:p@ss".getBytes(StandardCharsets.UTF_8));
        var certificate = TestCertificate.make(folder, "dns:secure.test");
        try (var registry = TinyRegistry.start("secure.test", certificate.server());
                var proxy = TinyProxy.start(login)) {
            registry.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10]));
            registry.requireKey();
            String url = registry.url().toString();
            var environment = Map.of("HTTPS_PROXY", "http://user:p%40ss@127.0.0.1:" + proxy.port());

            var ran = sheaf(
                    environment,
                    List.of(),
                    "resolve",
                    "acme/kit:1.0.0",
                    "--url",
                    url,
                    "--ca-file",
                    certificate.pem().toString());

            assertThat(ran.said()).isEmpty();
            assertThat(ran.status()).isZero();
            assertThat(proxy.told()).isNotEmpty().allSatisfy(told -> {
                assertThat(told.line()).startsWith("CONNECT secure.test:");
                assertThat(told.headers()).containsEntry("proxy-authorization", login);
                assertThat(told.headers()).doesNotContainKey("authorization");
            });
            assertThat(registry.requests(""))
                    .isNotEmpty()
                    .allSatisfy(seen -> assertThat(seen.headers()).doesNotContainKey("Proxy-Authorization"));
        }
    }

    @Test
    void theTrustStoreOfJavaStaysTrustedBesideTheFile() throws Exception {
        var certificate = TestCertificate.make(folder, "ip:127.0.0.1");
        var other = TestCertificate.make(folder, "dns:other.test");
        try (var registry = TinyRegistry.start("127.0.0.1", certificate.server())) {
            registry.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10]));
            registry.requireKey();
            var environment = Map.of("SHEAF_CA_FILE", other.pem().toString());
            String url = registry.url().toString();
            var store = List.of(
                    "-Djavax.net.ssl.trustStore=" + certificate.store(), "-Djavax.net.ssl.trustStorePassword=secret");

            var without = sheaf(environment, List.of(), "resolve", "acme/kit:1.0.0", "--url", url);
            var with = sheaf(environment, store, "resolve", "acme/kit:1.0.0", "--url", url);

            assertThat(without.status()).isEqualTo(9);
            assertThat(without.err()).contains("is not trusted here", "SHEAF_CA_FILE");
            assertThat(with.said()).isEmpty();
            assertThat(with.status()).isZero();
        }
    }
}
