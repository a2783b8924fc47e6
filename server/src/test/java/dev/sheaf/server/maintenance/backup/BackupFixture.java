package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.node.DataDir;
import dev.sheaf.server.node.DatabaseSetup;
import dev.sheaf.server.node.StoreSetup;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// An installation with something in it, and what backs it up and restores it.
@SuppressWarnings("NullAway.Init") // JUnit sets the folder
public abstract class BackupFixture {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    public final long seed = System.nanoTime();
    public final Random random = new Random(seed);

    @TempDir
    public Path folder;

    // --- what is backed up ---

    public String text(int length) {
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append(Long.toString(random.nextLong() >>> 1, 36)).append(' ');
        }
        return text.substring(0, length);
    }

    /// Two organizations with bundles of all kinds: small and large, public and private, yanked, tagged, signed.
    public void fill(TestApp app) {
        for (int i = 0; i < 6; i++) {
            var pushed = app.push("acme/kit-" + i % 2, "1." + i + ".0", "private", text(i % 3 == 0 ? 60_000 : 300));
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        }
        app.post("/v1/namespaces/acme/bundles/kit-0/versions/1.4.0:yank", app.admin(), """
                {"reason": "wrong"}""");
        app.push("free/open", "2.0.0", "public", "Grüße \\u2028 in \\\"JSON\\\" \\\\ and \\n lines");
        pushBlob(app, "acme/loose", text(100_000).getBytes(StandardCharsets.UTF_8));
        app.key("reader", "read");
    }

    public static Digest pushBlob(TestApp app, String repository, byte[] bytes) {
        var digest = Digest.sha256(bytes);
        var path = "/v2/" + repository + "/blobs/uploads/?digest=" + digest;
        var reply = app.send(app.request("POST", path, app.admin(), null)
                .method("POST", BodyPublishers.ofByteArray(bytes))
                .header("Content-Type", "application/octet-stream"));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return digest;
    }

    /// Everything that a client can pull, with what it gets.
    public static Map<String, String> pulled(TestApp app) {
        var pulled = new TreeMap<String, String>();
        var rows = app.database()
                .read(tx -> tx.handle().createQuery("""
                        SELECT r.namespace || '/' || r.name || ' ' || v.version FROM version v
                        JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                        """).mapTo(String.class).list());
        for (String row : rows) {
            var words = row.split("[/ ]");
            String bundle = "/v1/namespaces/" + words[0] + "/bundles/" + words[1];
            var reply = app.get(bundle + "/versions/" + words[2] + ":pull?binary=base64", app.admin());
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            pulled.put(row, reply.json().get("manifest").toString());
            var resolved = app.get(bundle + ":resolve?version=" + words[2], app.admin());
            pulled.put(row + " digest", resolved.json().at("/ociDigest").stringValue());
            var manifest = app.get("/v2/" + words[0] + "/" + words[1] + "/manifests/" + words[2], app.admin());
            pulled.put(row + " manifest", manifest.text());
            assertThat(Digest.sha256(manifest.response().body()))
                    .hasToString(resolved.json().at("/ociDigest").stringValue());
        }
        assertThat(pulled).isNotEmpty();
        return pulled;
    }

    // --- how ---

    public static MasterSecret master(TestApp app) {
        try {
            return MasterSecret.parse(app.master());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TaskRun.Report backup(TestApp app, Path target) {
        var run = new TaskRun(false);
        new Backup(app.database(), app.store(), master(app), target, 0).run(run);
        return run.report();
    }

    public static Path latest(Path target) {
        return new BackupFolder(target).latest().orElseThrow();
    }

    /// What opens an installation without a node.
    public interface Work {
        void on(Database database, BlobStore store, MasterSecret master) throws IOException;
    }

    public static void offline(Map<String, String> flags, Work work) throws Exception {
        var config = Config.load(flags, Map.of());
        var master = MasterSecret.parse(config.text(Setting.MASTER_KEY));
        try (var dataDir = DataDir.open(config.dataDir());
                var database = DatabaseSetup.open(config, dataDir, master, InstantSource.system())) {
            work.on(database, StoreSetup.open(config, dataDir, new TransferBuffers(), CallTimes.OFF), master);
        }
    }

    public static void restore(Map<String, String> flags, Path backup) throws Exception {
        offline(
                flags,
                (database, store, master) -> new Restore(opened(database, store), master, backup, Restore.Leniency.NONE)
                        .run(new TaskRun(false)));
    }

    /// An installation that is open already.
    public static Restore.Target opened(Database database, BlobStore store) {
        return new Restore.Target() {
            @Override
            public Database schema() {
                return database;
            }

            @Override
            public long count(String query) {
                return database.read(
                        tx -> tx.handle().createQuery(query).mapTo(Long.class).one());
            }

            @Override
            public Restore.Destination open() {
                return new Restore.Destination(database, store);
            }
        };
    }

    /// The rows of a backup by table, without the names of objects, which every store gives anew.
    public static Map<String, List<String>> rows(Path backup) throws IOException {
        var tables = new TreeMap<String, List<String>>();
        try (var files = Files.list(backup.resolve("tables"))) {
            for (Path file : files.toList()) {
                var rows = new ArrayList<String>();
                for (String line : Files.readAllLines(file)) {
                    var row = (ObjectNode) JSON.readTree(line);
                    rows.add(row.without("object_id").toString());
                }
                tables.put(file.getFileName().toString(), rows);
            }
        }
        return tables;
    }

    /// A store that fails at the n-th call of a method.
    public static BlobStore failing(BlobStore store, String method, int n) {
        var calls = new AtomicInteger();
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) && calls.incrementAndGet() == n) {
                        throw new Problem.Unavailable("the blob store failed", 5).raise();
                    }
                    try {
                        return called.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
