package dev.sheaf.server.testing;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Handle;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.App;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.bundle.passport.UnreadVersions;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.DataDir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A whole node on a free port, for tests that speak HTTP to it.
public final class TestApp implements AutoCloseable {
    private static final Duration LONGEST_TASK = Duration.ofSeconds(60);

    private final App app;
    private final Secret admin;
    private final Map<String, String> flags;
    private final Requests requests;

    private TestApp(App app, Secret admin, Map<String, String> flags) {
        this.app = app;
        this.admin = admin;
        this.flags = flags;
        this.requests = new Requests(url());
    }

    /// A new installation in `folder`.
    public static TestApp start(Path folder) {
        return start(folder, Map.of());
    }

    /// @param settings other than the defaults
    public static TestApp start(Path folder, Map<String, String> settings) {
        return start(folder, InstantSource.system(), settings);
    }

    public static TestApp start(Path folder, InstantSource clock, Map<String, String> settings) {
        return start(Stack.SQLITE, folder, clock, settings);
    }

    public static TestApp start(Stack stack, Path folder) {
        return start(stack, folder, InstantSource.system(), Map.of());
    }

    public static TestApp start(Stack stack, Path folder, InstantSource clock, Map<String, String> settings) {
        var flags = settings(stack, folder, settings);
        if (stack == Stack.SQLITE) {
            Databases.copyTemplate(DataDir.database(folder));
        }
        var app = start(flags, clock);
        return new TestApp(app, app.firstKey().orElseThrow(), flags);
    }

    /// The settings of an installation that is yet to be made.
    public static Map<String, String> settings(Stack stack, Path folder, Map<String, String> more) {
        var flags = stack.settings(folder);
        flags.put("metrics-readers", "127.0.0.0/8, ::1"); // tests read metrics without a key
        flags.putAll(more);
        return flags;
    }

    /// The settings of an installation that is yet to be made, with the master key of this one.
    public Map<String, String> next(Stack stack, Path folder) throws IOException {
        return settings(stack, folder, Map.of("master-key", master()));
    }

    public String master() throws IOException {
        var given = flags.get("master-key");
        return given == null
                ? Files.readString(dataDir().resolve("secrets/master-key")).strip()
                : given;
    }

    /// The settings of this installation, but for some.
    public Map<String, String> with(Map<String, String> others) {
        var all = new LinkedHashMap<>(flags);
        all.putAll(others);
        return all;
    }

    /// The settings of this installation, as a command on its storage takes them.
    public List<String> arguments() {
        return arguments(flags);
    }

    public static List<String> arguments(Map<String, String> settings) {
        return settings.entrySet().stream()
                .flatMap(setting -> Stream.of("--" + setting.getKey(), setting.getValue()))
                .toList();
    }

    /// Starts on what is there already, known to be this one's.
    public TestApp startOn(Map<String, String> others) {
        return on(others, admin);
    }

    /// Starts with settings, of an installation that is there already, with the secret of one of its admin keys.
    public static TestApp on(Map<String, String> settings, Secret admin) {
        return new TestApp(start(settings, InstantSource.system()), admin, settings);
    }

    /// Starts on a data folder that is there already, with the secret of one of its admin keys.
    public static TestApp on(Path data, Secret admin) {
        var flags = Stack.own(data);
        flags.put("metrics-readers", "127.0.0.0/8, ::1");
        return on(flags, admin);
    }

    /// Another node of the same installation, with a folder of its own. If it keeps content there, this stands for
    /// a shared one.
    public TestApp another(Path folder) {
        return another(folder, InstantSource.system());
    }

    public TestApp another(Path folder, InstantSource clock) {
        var others = with(Stack.own(folder));
        shareMark(folder.resolve("content"));
        return new TestApp(start(others, clock), admin, others);
    }

    private void shareMark(Path content) {
        Path mark = dataDir().resolve("content/installation");
        if (Files.exists(mark)) {
            try {
                Files.createDirectories(content);
                Files.copy(mark, content.resolve("installation"), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Starts anew what was closed.
    public TestApp again(InstantSource clock) {
        return new TestApp(start(flags, clock), admin, flags);
    }

    private static App start(Map<String, String> flags, InstantSource clock) {
        try {
            return App.start(Config.load(flags, Map.of()), clock);
        } catch (Config.InvalidException e) {
            throw new IllegalStateException(e);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + app.port();
    }

    public String host() {
        return "127.0.0.1:" + app.port();
    }

    /// The secret of the first key.
    public String admin() {
        return admin.expose();
    }

    /// The node's own folder.
    public Path dataDir() {
        return Path.of(Objects.requireNonNull(flags.get("data-dir")));
    }

    public Database database() {
        return app.node().database();
    }

    /// Writes what was downloaded, without waiting for the timer.
    public void countDownloads() {
        app.modules().bundle().downloads().flush();
    }

    /// Derives the archives of new versions, without waiting for the task.
    public void deriveArchives() {
        app.modules().apm().archives().deriveNew(new TaskRun(false));
    }

    /// Tells the organizations of dependents of changes, without waiting for the task.
    public void tellDependents() {
        app.modules().bundle().dependents().tell(new TaskRun(false));
    }

    /// What reads the versions whose findings are not known, as the timer does.
    public UnreadVersions unreadVersions() {
        return app.modules().bundle().unread();
    }

    /// Writes what was refused into the audit log, without waiting for the timer.
    public void writeRefusals() {
        app.modules().audit().refusals().flush();
    }

    /// What lies in the store.
    public Stored stored() {
        var bucket = flags.get("s3-bucket");
        return bucket == null
                ? Stored.in(dataDir().resolve("content"))
                : Stored.in(Buckets.settings(bucket, Buckets.SECRET));
    }

    /// The names of what is stored of a blob.
    public List<String> stored(Digest digest) throws IOException {
        var parts = database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL")
                        .bind("digest", digest.toString())
                        .map(row -> ObjectId.parse(row.getColumn("object_id", String.class))
                                .part())
                        .list());
        return stored().names().stream()
                .filter(name -> parts.stream().anyMatch(name::endsWith))
                .toList();
    }

    public BlobStore store() {
        return app.node().store();
    }

    public List<Route> routes() {
        return app.http().routes();
    }

    /// Those of pages.
    public List<Route> pages() {
        return app.http().pages();
    }

    /// The secret of a new key in the first organization.
    public String key(String name, String scope) {
        return secret("""
                {"name": "%s", "scopes": ["%s"]}""".formatted(name, scope));
    }

    /// The same, of any key.
    ///
    /// @param json what asks for it
    public String secret(String json) {
        return Objects.requireNonNull(newKey(json).key());
    }

    /// A new key in the first organization, with its secret.
    public ApiKey newKey(String json) {
        return post("/v1/organizations/default/api-keys", admin(), json).as(ApiKey.class);
    }

    /// The secret of an admin key of a new organization.
    public String secondOrganization(String handle) {
        var secret = KeyFormat.generate();
        app.modules().org().bootstrap().create(Handle.parse(handle), secret);
        return secret.expose();
    }

    /// The password of everybody that [#person] makes.
    public static final String PASSWORD = "a password for tests";

    /// Makes an account that is a member of an organization, and signs in; the access token.
    ///
    /// @param organization null: of none
    public String person(String email, @Nullable String organization, @Nullable String role) {
        var made = post(
                "/v1/admin/users",
                admin(),
                organization == null
                        ? """
                        {"email": "%s", "password": "%s"}""".formatted(email, PASSWORD)
                        : """
                        {"email": "%s", "password": "%s", "organization": "%s", "role": "%s"}""".formatted(email, PASSWORD, organization, role));
        if (made.status() != 201) {
            throw new IllegalStateException(made.text());
        }
        settle(email);
        return signIn(email, PASSWORD).as(SignedIn.class).accessToken();
    }

    /// Makes a member one of long ago: whom a key has just added may not review.
    public void settle(String email) {
        database().write(tx -> tx.change("""
                        UPDATE membership SET granted_at = 0
                        WHERE account_id IN (SELECT id FROM account WHERE email = :email)
                        """, "email", email));
    }

    public Reply signIn(String email, String password) {
        return post("/v1/sessions", null, """
                {"email": "%s", "password": "%s"}""".formatted(email, password));
    }

    /// Disables a key of the first organization.
    public void disable(UUID key) {
        send("PATCH", "/v1/organizations/default/api-keys/" + key, admin(), "{\"disabled\": true}");
    }

    /// An access token as the service would hand it on to a program.
    public String token(UUID key, Grant grant) {
        return app.modules()
                .secrets()
                .tokens()
                .issue(new TokenSubject.Key(key), grant, database().now())
                .expose();
    }

    /// Tells of keys that end soon, without waiting for the timer.
    public void tellOfExpiry() {
        app.modules().org().keyExpiry().run();
    }

    public Reply get(String path, @Nullable String key) {
        return send(request("GET", path, key, null));
    }

    public Reply post(String path, @Nullable String key, String json) {
        return send(request("POST", path, key, json));
    }

    public Reply send(String method, String path, @Nullable String key, @Nullable String json) {
        return send(request(method, path, key, json));
    }

    /// A request to be finished by the test.
    public HttpRequest.Builder request(String method, String path, @Nullable String key, @Nullable String json) {
        return requests.request(method, path, key, json);
    }

    /// Sends a form; the fields are pairs of name and value.
    public Reply form(String path, @Nullable String key, String... fields) {
        return requests.form(path, key, fields);
    }

    public Reply send(HttpRequest.Builder request) {
        return requests.send(request);
    }

    /// A run of a task, once it is over.
    ///
    /// @param run its id
    public Reply ended(String run) {
        String path = "/v1/admin/tasks/" + run;
        Eventually.within(LONGEST_TASK, () -> !get(path, admin()).text().contains("\"state\":\"running\""));
        return get(path, admin());
    }

    /// Ends deleted bundles for good that nobody may restore any more, as the service does every ten minutes.
    public void purgeDue() {
        app.modules().bundle().bundleDeletion().purgeDue();
    }

    /// Pushes a bundle of one text asset.
    public Reply push(String repository, String version, String visibility, String text) {
        var parts = repository.split("/");
        return post("/v1/namespaces/" + parts[0] + "/bundles/" + parts[1] + ":push", admin(), """
                {"name": "Test", "visibility": "%s", "version": "%s",
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "%s"}]}""".formatted(
                        visibility, version, text));
    }

    /// The folders of real bundles that tests push: all of a corpus that SHEAF_CORPUS names, else the project's own
    /// few.
    public static List<Path> corpus() throws IOException {
        String named = System.getenv("SHEAF_CORPUS");
        Path root = Path.of(named == null ? "src/test/resources/corpus" : named);
        var folders = new ArrayList<Path>();
        try (var entries = Files.list(root)) {
            entries.filter(Files::isDirectory).sorted().forEach(folders::add);
        }
        return folders;
    }

    /// Ends the node as a signal does.
    ///
    /// @return how many requests were cut off
    public int stop(Duration limit) {
        return stop(Duration.ZERO, limit);
    }

    /// The same, after some time as a node that is not ready.
    public int stop(Duration drain, Duration limit) {
        return app.stop(drain, limit);
    }

    @Override
    public void close() {
        requests.close();
        app.close();
    }
}
