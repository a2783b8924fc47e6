package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Scope;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.blob.BulkLane;
import dev.sheaf.server.blob.FileBlobStore;
import dev.sheaf.server.bundle.BundleDeletion;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Deletion;
import dev.sheaf.server.bundle.Publish;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.Quota;
import dev.sheaf.server.org.Quotas;
import dev.sheaf.server.registry.Blobs;
import dev.sheaf.server.registry.Keeping;
import dev.sheaf.server.registry.Manifests;
import dev.sheaf.server.registry.Removal;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Tags;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What others have downloaded is not deleted lightly (contract 3.7).
@SuppressWarnings("NullAway") // set by JUnit
class DeletionRulesTest {
    private static final RepositoryName NAME = RepositoryName.parse("acme/kit");

    private TestApp app;
    private Deletion deletion;
    private BundleDeletion bundles;

    @BeforeEach
    void open(@TempDir Path folder) {
        app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("app"));
        app.push("acme/kit", "1.0.0", "public", "one");
        Database database = app.database();
        var store = new FileBlobStore(folder.resolve("other"), 0, new BulkLane(1));
        var keeping = new Keeping(Duration.ofDays(1), Duration.ofDays(1), Optional.empty());
        var quotas = new Quotas(database, Quota.NONE);
        var cache = new Blobs.CacheSize(10, 1 << 10);
        var repositories = new Repositories(database);
        var stores = new Publish.Stores(
                new Namespaces(database, false),
                quotas,
                repositories,
                new Blobs(database, store, keeping, cache),
                new Manifests(database, keeping, cache, false),
                new Tags(database));
        deletion = new Deletion(database, stores, new Removal(store, keeping), (tx, version) -> true);
        bundles = new BundleDeletion(
                database,
                new Bundles(database, repositories),
                stores,
                new Removal(store, keeping),
                (tx, version) -> true);
    }

    @AfterEach
    void close() {
        app.close();
    }

    private Origin origin(Scope scope) {
        UUID organization = app.database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT id FROM organization")
                        .mapTo(UUID.class)
                        .one());
        return new Origin(
                new Caller.Keyed(UUID.randomUUID(), "test", organization, scope, Restrictions.NONE, Grant.ALL),
                "127.0.0.1",
                "r-1");
    }

    private @Nullable Problem refusal(Runnable deletion) {
        try {
            deletion.run();
            return null;
        } catch (ProblemException e) {
            return e.problem();
        }
    }

    private @Nullable Problem version(Scope scope, @Nullable String reason) {
        return refusal(() ->
                deletion.version(origin(scope), NAME, new Deletion.Request(Version.parse("1.0.0"), reason, false)));
    }

    private @Nullable Problem bundle(Scope scope, @Nullable String reason) {
        return refusal(() -> bundles.delete(origin(scope), NAME, reason, overview -> {}));
    }

    @Test
    void aVersionThatOthersDownloadedTakesAnAdminKeyAndAReason() {
        assertThat(version(Scope.WRITE, "because")).isInstanceOf(Problem.Conflict.class);
        assertThat(version(Scope.ADMIN, null)).isInstanceOf(Problem.ValidationFailed.class);
        assertThat(app.get("/v1/namespaces/acme/bundles/kit:resolve", null).status())
                .isEqualTo(200);
        assertThat(version(Scope.ADMIN, "because")).isNull();
        assertThat(version(Scope.ADMIN, "because")).isInstanceOf(Problem.VersionDeleted.class);
    }

    @Test
    void soDoesABundleWithSuchAVersion() {
        var refused = bundle(Scope.WRITE, "because");
        assertThat(refused).isInstanceOf(Problem.Conflict.class);
        assertThat(refused.detail()).contains("downloaded by others");
        assertThat(bundle(Scope.ADMIN, " ")).isInstanceOf(Problem.ValidationFailed.class);
        assertThat(bundle(Scope.ADMIN, "because")).isNull();
        assertThat(app.get("/v1/namespaces/acme/bundles/kit:resolve", app.admin())
                        .status())
                .isEqualTo(404);
    }
}
