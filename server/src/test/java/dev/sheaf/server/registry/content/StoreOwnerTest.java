package dev.sheaf.server.registry.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.db.StoredFacts;
import dev.sheaf.model.Digest;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node with the store of another installation, or with none.
@SuppressWarnings("NullAway.Init") // JUnit sets the folder
class StoreOwnerTest {
    private static final String LARGE = "x".repeat(60_000); // an object, not a row

    @TempDir
    Path folder;

    private Path content;
    private Path mark;

    @BeforeEach
    void places() {
        content = folder.resolve("a/content");
        mark = content.resolve("installation");
    }

    private static int pull(TestApp app) {
        var digest = Digest.sha256(LARGE.getBytes(StandardCharsets.UTF_8));
        return app.get("/v2/acme/kit/blobs/" + digest, app.admin()).status();
    }

    private TestApp filled() {
        var app = TestApp.start(folder.resolve("a"));
        assertThat(app.push("acme/kit", "1.0.0", "public", LARGE).status()).isEqualTo(201);
        return app;
    }

    private void assertRefused(TestApp app, String why) {
        assertThatThrownBy(() -> app.again(InstantSource.system()))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exit()).isEqualTo(ServerExit.STORAGE_UNREACHABLE))
                .hasMessageContainingAll(why, mark.toString(), "s3-bucket");
    }

    private static void assertWhole(TestApp app) {
        assertThat(pull(app)).isEqualTo(200);
        var distrusted =
                app.database().read(tx -> tx.list("SELECT digest FROM blob WHERE state <> 'ok'", String.class));
        assertThat(distrusted).isEmpty();
    }

    @Test
    void aStoreOfAnotherInstallationIsRefusedAndNothingIsDistrusted() throws IOException {
        var app = filled();
        app.close();
        TestApp.start(folder.resolve("b")).close();
        Files.move(content, folder.resolve("kept"));
        Files.move(folder.resolve("b/content"), content);

        assertRefused(app, "the store belongs to another installation");

        Files.move(content, folder.resolve("b/content"));
        Files.move(folder.resolve("kept"), content);
        try (var again = app.again(InstantSource.system())) {
            assertWhole(again);
        }
    }

    @Test
    void anEmptyStoreIsRefusedUntilAPersonSaysThatItIsTheRightOne() throws IOException {
        var app = filled();
        String id = app.database().read(tx -> StoredFacts.find(tx, "store")).orElseThrow();
        app.close();
        Files.move(content, folder.resolve("lost"));

        assertRefused(app, "write " + id + " into");
        Files.writeString(mark, id);

        try (var again = app.again(InstantSource.system())) {
            assertThat(pull(again)).as("it is lost").isEqualTo(404);
            assertThat(again.push("acme/kit", "1.0.1", "public", LARGE).status())
                    .isEqualTo(201);
            assertThat(pull(again)).as("and was pushed again").isEqualTo(200);
        }
    }

    @Test
    void aStoreFromBeforeThereWereMarksIsKnownByItsObjects() throws IOException {
        var app = filled();
        app.database().write(tx -> {
            StoredFacts.forget(tx, "store");
            return true;
        });
        app.close();
        Files.delete(mark);

        try (var again = app.again(InstantSource.system())) {
            assertWhole(again);
            assertThat(mark)
                    .hasContent(again.database()
                            .read(tx -> StoredFacts.find(tx, "store"))
                            .orElseThrow());
        }
    }

    /// As when a volume is no longer mounted.
    @Test
    void inAStoreThatLostItsMarkNothingIsKnownToBeMissing() throws IOException {
        try (var app = filled()) {
            Files.move(content.resolve("objects"), folder.resolve("objects"));
            Files.move(mark, folder.resolve("mark"));
            Files.createDirectory(content.resolve("objects"));

            assertThat(pull(app)).isEqualTo(503);

            Files.delete(content.resolve("objects"));
            Files.move(folder.resolve("objects"), content.resolve("objects"));
            Files.move(folder.resolve("mark"), mark);
            assertWhole(app);
        }
    }
}
