package dev.sheaf.server.bundle.review;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.server.bundle.recall.LeakScenario;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every way to read that exists is tried with a version that waits for approval: nothing of it may be there.
class HeldLeakTest extends LeakScenario {
    @Test
    void nothingOfItIsShownToReaders() {
        key = app().key("held-reader", "read");
        app().post("/v1/organizations/default/namespaces", app().admin(), "{\"handle\": \"leaky\"}");
        assertThat(push("1.0.0", "harmless").status()).isEqualTo(201);
        app().person("one@held.test", "default", "owner");
        app().person("two@held.test", "default", "owner");
        var policy = app().send("PUT", "/v1/namespaces/leaky/policy", app().admin(), "{\"review\": {}}");
        assertThat(policy.status()).as(policy.text()).isEqualTo(200);
        digest = app().get("/v2/leaky/kit/manifests/1.0.0", null).header("Docker-Content-Digest");
        var open = all(paths(), new @Nullable String[] {null, key});

        var pushed = push("1.1.0", CANARY);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(202);
        digest = pushed.as(HeldVersion.class).digest();

        var seen = all(paths(), new @Nullable String[] {null, key});
        assertThat(seen).filteredOn(Seen::hasCanary).extracting(Seen::path).isEmpty();
        assertThat(seen)
                .filteredOn(one -> one.text().startsWith("200"))
                .filteredOn(one -> !one.path().equals("/v1/openapi.yaml"))
                .filteredOn(one -> !one.path().contains("1.1.0") && !one.path().contains(digest)) // pages repeat it
                .filteredOn(one -> one.text().contains("1.1.0") || one.text().contains(digest))
                .extracting(Seen::path)
                .as("answers that name it")
                .isEmpty();
        assertThat(open).filteredOn(one -> one.text().startsWith("200")).hasSizeGreaterThan(40);
        assertThat(mcp("resources/list", "{}")).doesNotContain(CANARY);
        var writers = all(paths(), new String[] {app().admin()}).stream()
                .filter(Seen::hasCanary)
                .map(Seen::path)
                .toList();
        assertThat(writers).as("what writers read").isNotEmpty().anyMatch(path -> path.startsWith("/v2/leaky/kit/"));
        assertThat(requireNonNull(digest)).startsWith("sha256:");
        ofNewBundle();
    }

    /// The first push of a bundle: its name is in no list.
    private void ofNewBundle() {
        var pushed = app().push("leaky/whisper", "1.0.0", "public", "# " + CANARY);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(202);

        assertThat(all(paths(), new @Nullable String[] {null, key}))
                .filteredOn(one -> one.text().contains("whisper"))
                .extracting(Seen::path)
                .isEmpty();
        assertThat(app().get("/v2/_catalog", key).text()).contains("leaky/kit").doesNotContain("whisper");
        app().get(bundle("leaky/whisper"), key).assertRefused("404 bundle-not-found");
        assertThat(app().get("/v2/leaky/whisper/manifests/1.0.0", key).status()).isEqualTo(404);
    }
}
