package dev.sheaf.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.network.NetworkSettings;
import java.net.http.HttpConnectTimeoutException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How long and how often a client waits for a registry that does not answer.
class BrokenWaysTest {
    private final RegistryUrl registry = RegistryUrl.parse("http://bundles.example.com");
    private final BrokenWays ways = new BrokenWays(registry, NetworkSettings.of(Map.of(), null));

    private SheafException.Network timeout() {
        var failure = ways.unreached(registry.at("/v1/me"), new HttpConnectTimeoutException("timed out"));
        return (SheafException.Network) failure;
    }

    @Test
    void aFirstConnectionIsTriedOnceForTenSeconds() {
        assertThat(timeout().isLasting()).isTrue();
        assertThat(timeout())
                .hasMessageContaining("cannot connect to http://bundles.example.com")
                .hasMessageEndingWith(" within 10 s");
    }

    @Test
    void whatWasReachedOnceIsTriedAgain() {
        ways.reached();

        assertThat(timeout().isLasting()).isFalse();
    }
}
