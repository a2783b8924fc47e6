package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A reference with the host of its registry, as `resolve` prints it, is one in every command.
class NamedRegistryTest extends CommandLineFixture {
    @BeforeEach
    void publish() {
        registry.content.publish("acme/kit:1.0.0", Map.of("a", "x".getBytes(StandardCharsets.UTF_8)));
        registry.content.descriptions.put("acme/kit", "{\"ref\": \"acme/kit\", \"visibility\": \"public\"}");
    }

    private String host() {
        return registry.url().authority();
    }

    @ParameterizedTest
    @ValueSource(strings = {"resolve", "lock --lock-file %s/sheaf.lock", "verify --strict"})
    void takesWhatResolvePrints(String line) {
        environment.put("SHEAF_URL", "http://127.0.0.1:1");
        String[] words = line.formatted(folder, folder).split(" ", 2);
        String rest = words.length > 1 ? " " + words[1] : "";

        var ran = run((words[0] + " http://" + host() + "/acme/kit:1.0.0" + rest).split(" "));
        var brief = run((words[0] + " " + host() + "/acme/kit:1.0.0" + rest).split(" "));

        assertThat(ran.err() + brief.err()).doesNotContain("127.0.0.1:1 ").doesNotContain("no \"/\"");
        assertThat(registry.requests("/bundles/kit")).isNotEmpty();
        assertThat(ran.status()).isEqualTo(brief.status());
    }

    /// The key in the environment is for the registry that is meant elsewhere.
    @Test
    void doesNotSendItTheKeyOfAnother() {
        environment.put("SHEAF_URL", "http://127.0.0.1:1");
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);

        assertThat(run("resolve", host() + "/acme/kit").status()).isZero();
        environment.put("SHEAF_URL", registry.url().toString());
        assertThat(run("resolve", host() + "/acme/kit", "--refresh").status()).isZero();

        var sent = registry.requests(":resolve").stream()
                .map(request -> request.headers().getFirst("Authorization"))
                .toList();
        assertThat(sent).containsExactly(null, "Bearer " + TinyRegistry.KEY);
    }

    @Test
    void whatQuietPrintsNamesItToo() {
        environment.put("SHEAF_URL", "http://127.0.0.1:1");

        var named = run("resolve", host() + "/acme/kit:1.0.0", "--format", "quiet");
        assertThat(named.out()).startsWith(host() + "/acme/kit@sha256:");
        assertThat(run("resolve", named.out().strip()).status()).isZero();

        environment.put("SHEAF_URL", registry.url().toString());
        assertThat(run("resolve", "acme/kit:1.0.0", "--format", "quiet").out()).startsWith("acme/kit@sha256:");
    }

    @Test
    void adviceGoesToTheSameRegistry() {
        environment.put("SHEAF_URL", "http://127.0.0.1:1");

        assertThat(run("resolve", host() + "/acme/kit:9.9.9").err())
                .contains("see which versions there are: sheaf versions acme/kit --url " + registry.url());
    }
}
