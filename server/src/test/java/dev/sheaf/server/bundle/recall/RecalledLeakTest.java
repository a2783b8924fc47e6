package dev.sheaf.server.bundle.recall;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.VersionDetail;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every way to read that exists is tried with a version before and after its recall: what was of its content must be
/// gone.
class RecalledLeakTest extends LeakScenario {
    @Test
    void nothingOfItsContentIsLeft() {
        key = app().key("leak-reader", "read");
        assertThat(push("1.0.0", "harmless").status()).isEqualTo(201);
        digest = requireNonNull(push("1.1.0", CANARY).as(VersionDetail.class).ociDigest());
        assets = app().get(bundle("leaky/kit") + "/assets?version=1.1.0", null).list(Asset.class).stream()
                .map(asset -> asset.id().toString())
                .toList();
        var paths = paths();
        var keys = new @Nullable String[] {null, key};
        var before = all(paths, keys);
        var readable = before.stream().filter(Seen::hasCanary).toList();
        assertThat(readable).as("ways that show it").hasSizeGreaterThan(40);
        var archives = before.stream()
                .filter(seen -> seen.body().length > 1
                        && (seen.path().endsWith(".zip") || seen.path().endsWith(".gz")))
                .toList();
        assertThat(archives).as("archives of it").hasSizeGreaterThan(3);

        app().post(bundle("leaky/kit") + ":recall", app().admin(), """
                {"versions": ["1.1.0"], "severity": "critical", "reason": "bad"}""");

        assertThat(all(paths, keys))
                .filteredOn(Seen::hasCanary)
                .extracting(seen -> seen.path() + (seen.known() ? " with a key: " : ": ") + seen.text())
                .isEmpty();
        var after = all(paths, keys);
        for (var archive : archives) {
            assertThat(after)
                    .filteredOn(seen -> Arrays.equals(seen.body(), archive.body()))
                    .extracting(Seen::path)
                    .as("the bytes of " + archive.path())
                    .allSatisfy(path -> assertThat(path).doesNotContain("1.1.0").doesNotContain(digest));
        }
        assertThat(mcp("resources/list", "{}")).doesNotContain(CANARY);
        var admins = all(paths, new String[] {app().admin()}).stream()
                .filter(Seen::hasCanary)
                .map(Seen::path)
                .toList();
        assertThat(admins)
                .as("what admins still read")
                .isNotEmpty()
                .allMatch(path -> path.startsWith("/v2/leaky/kit/"));
    }
}
