package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.V2Scenario;
import org.junit.jupiter.api.Test;

/// Versions that share a manifest, as an OCI client makes them by a second tag. A digest is gone only when the last
/// version that has it was deleted (contract 3.7).
class SharedManifestTest extends V2Scenario {
    private static final String NAME = "shared/kit";

    private int put(String version, String manifest) {
        return pushManifest(NAME, version, manifest).status();
    }

    private void delete(String version) {
        var reply = app().send(
                        "DELETE",
                        "/v1/namespaces/shared/bundles/kit/versions/" + version,
                        app().admin(),
                        "{\"reason\": \"gone\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(204);
    }

    @Test
    void theManifestOfADeletedVersionIsGoodWhileAnotherHasIt() {
        String manifest = image(NAME, random(20));
        assertThat(put("1.0.0", manifest)).isEqualTo(201);
        assertThat(put("1.1.0", manifest)).isEqualTo(201);

        delete("1.0.0");
        assertThat(put("1.2.0", manifest)).isEqualTo(201);
        assertThat(put("1.0.0", manifest)).as("a number never comes back").isEqualTo(410);

        delete("1.1.0");
        delete("1.2.0");
        assertThat(put("1.3.0", manifest)).as("nor a digest that nothing has").isEqualTo(410);
    }
}
