package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The collector and what is being edited, over HTTP: the bytes of working assets stay however old they are, and go
/// when the asset goes.
class WorkingAssetsCollectedTest extends AssetScenario {
    private static final byte[] SMALL = "small and never published".getBytes(StandardCharsets.UTF_8);

    /// Too large for the database, and of a length that no other file has.
    private static byte[] large(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) length);
        return bytes;
    }

    /// Runs the collector as its operator does, and lets a day pass, so often that whatever may go is gone.
    private void collectForAWeek() {
        for (int i = 0; i < 7; i++) {
            pass(Duration.ofHours(25));
            var started = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"gc\"}");
            assertThat(started.status()).as(started.text()).isEqualTo(201);
            var ended =
                    app().ended(started.as(TaskRecord.class).id().toString()).as(TaskRecord.class);
            assertThat(ended.state()).isEqualTo("succeeded");
        }
    }

    private Reply bytes(String repository, String path) {
        return get(assets(repository) + "/" + path, app().admin(), "Accept", "application/octet-stream");
    }

    private boolean isLinked(byte[] content) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT count(*) FROM blob WHERE digest = :digest")
                        .bind("digest", Digest.sha256(content).toString())
                        .mapTo(Integer.class)
                        .one()
                        .equals(1));
    }

    /// How many things of that length lie in the store.
    private long stored(int length) {
        return app().store().list("", 1_000).stream()
                .filter(item -> item.size() == length)
                .count();
    }

    @Test
    void workingAssetsOutliveCollectionsAndWhatIsDeletedGoes() {
        create("drafts/kit", "private");
        Map<String, byte[]> kept = Map.of("small.md", SMALL, "large.bin", large(77_001));
        Map<String, byte[]> deleted =
                Map.of("old.md", "old".getBytes(StandardCharsets.UTF_8), "old.bin", large(77_003));
        for (var assets : List.of(kept, deleted)) {
            assets.forEach((path, content) -> assertThat(
                            put(assets("drafts/kit") + "/" + path, content).status())
                    .isEqualTo(201));
        }
        put(assets("drafts/kit") + "/replaced.bin", large(77_005));

        collectForAWeek();

        kept.forEach((path, content) ->
                assertThat(bytes("drafts/kit", path).response().body()).isEqualTo(content));
        assertThat(stored(77_001) + stored(77_003) + stored(77_005)).isEqualTo(3);
        deleted.keySet()
                .forEach(path -> assertThat(app().send("DELETE", assets("drafts/kit") + "/" + path, app().admin(), null)
                                .status())
                        .isEqualTo(204));
        put(assets("drafts/kit") + "/replaced.bin", large(77_007));

        collectForAWeek();

        kept.forEach((path, content) ->
                assertThat(bytes("drafts/kit", path).response().body()).isEqualTo(content));
        assertThat(bytes("drafts/kit", "replaced.bin").response().body()).isEqualTo(large(77_007));
        deleted.values().forEach(content -> assertThat(isLinked(content)).isFalse());
        assertThat(isLinked(large(77_005))).isFalse();
        assertThat(stored(77_001) + stored(77_007)).isEqualTo(2);
        assertThat(stored(77_003) + stored(77_005)).isZero();
        var published = app().post(bundle("drafts/kit") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}");
        assertThat(published.status()).as(published.text()).isEqualTo(201);
    }

    @Test
    void whatAVersionOrAnotherBundleNeedsStaysWhenItsWorkingAssetGoes() {
        create("shared/one", "private");
        create("shared/two", "private");
        byte[] versioned = large(78_001);
        byte[] elsewhere = large(78_003);
        put(assets("shared/one") + "/versioned.bin", versioned);
        app().post(bundle("shared/one") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}");
        put(assets("shared/one") + "/elsewhere.bin", elsewhere);
        put(assets("shared/two") + "/elsewhere.bin", elsewhere);
        for (String path : List.of("versioned.bin", "elsewhere.bin")) {
            app().send("DELETE", assets("shared/one") + "/" + path, app().admin(), null);
        }

        collectForAWeek();

        assertThat(bytes("shared/one", "versioned.bin?version=1.0.0").response().body())
                .isEqualTo(versioned);
        assertThat(bytes("shared/two", "elsewhere.bin").response().body()).isEqualTo(elsewhere);
        assertThat(app().get("/v2/shared/one/blobs/" + Digest.sha256(elsewhere), app().admin())
                        .status())
                .isEqualTo(404);
    }
}
