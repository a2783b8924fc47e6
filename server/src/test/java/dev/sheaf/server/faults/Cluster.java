package dev.sheaf.server.faults;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.program.BucketServer;
import dev.sheaf.server.testing.program.DebianPostgres;
import dev.sheaf.server.testing.program.Haproxy;
import dev.sheaf.server.testing.program.Nginx;
import dev.sheaf.server.testing.program.PgBouncer;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Three nodes as processes, PostgreSQL, S3Proxy and nginx, set up as docs/several-nodes.md says. What the nodes
/// send to PostgreSQL and to the bucket goes over lines that can break.
final class Cluster implements AutoCloseable {
    static final int NODES = 3;
    private static final List<String> HEAP = List.of("-Xmx256m");
    private static final Path CLOCK = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");

    /// What is around the nodes.
    enum Kind {
        LINES,
        HAPROXY,
        REPLICA,
        POOLER,
        SMALL_DISKS
    }

    private final Path folder;
    private final List<Path> mounted = new ArrayList<>();
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final DebianPostgres database;
    private final @Nullable DebianPostgres replica;
    private final @Nullable PgBouncer pooler;
    private final BucketServer bucket;
    private final Line databaseLine;
    private final Line bucketLine;
    private final Map<String, String> settings;
    private final ServerProcess[] nodes = new ServerProcess[NODES];
    private final List<Integer> ports = new ArrayList<>();
    private final Secret admin;
    private final String url;

    /// @param folder to which the path is open for everybody; what was begun in it goes on
    Cluster(Path folder, Kind kind, Map<String, String> more) throws Exception {
        this.folder = Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            if (kind == Kind.SMALL_DISKS) {
                mount("database", "400m");
                mount("0", "96m");
            }
            var state = state();
            int port = Integer.parseInt(state.getProperty("database-port"));
            this.database = kept(DebianPostgres.open(folder.resolve("database"), port));
            this.replica =
                    kind == Kind.REPLICA ? kept(database.replica(folder.resolve("replica"), Ports.free())) : null;
            int bucketPort = Integer.parseInt(state.getProperty("bucket-port"));
            this.bucket = kept(BucketServer.start(dir("bucket"), bucketPort));
            this.databaseLine = kept(line(port));
            this.bucketLine = kept(line(bucket.port()));
            this.pooler = kind == Kind.POOLER ? kept(PgBouncer.before(direct(), dir("pooler"))) : null;
            this.settings = settings(state.getProperty("master-key"), more);
            for (int i = 0; i < NODES; i++) {
                ports.add(Ports.free());
                Files.writeString(clock(i), "+0s");
                start(i);
            }
            this.admin = nodes[0].adminKey();
            this.url =
                    kind == Kind.HAPROXY ? kept(haproxy()).url() : kept(nginx()).url();
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    /// What must be the same if this continues later.
    private Properties state() throws IOException {
        Path file = folder.resolve("cluster.properties");
        var state = new Properties();
        if (Files.exists(file)) {
            try (var in = Files.newBufferedReader(file)) {
                state.load(in);
            }
        } else {
            state.setProperty("master-key", MasterSecret.generate());
            state.setProperty("database-port", "" + Ports.free());
            state.setProperty("bucket-port", "" + Ports.free());
            try (var out = Files.newBufferedWriter(file)) {
                state.store(out, null);
            }
        }
        return state;
    }

    private <T extends AutoCloseable> T kept(T part) {
        parts.add(part);
        return part;
    }

    private static Line line(int port) throws IOException {
        return new Line(URI.create("http://127.0.0.1:" + port), Long.MAX_VALUE);
    }

    private Path dir(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private void mount(String name, String size) throws Exception {
        Path place = dir(name);
        Commands.run("mount", "-t", "tmpfs", "-o", "mode=755,size=" + size, "tmpfs", place.toString());
        mounted.add(place);
    }

    private PostgresDatabase.Settings direct() {
        return Databases.at("jdbc:postgresql://" + database.address() + "/sheaf", "postgres", Secret.of("unused"), 16);
    }

    private Map<String, String> settings(String master, Map<String, String> more) {
        var all = new HashMap<String, String>();
        all.put("master-key", master);
        all.put("database-url", "jdbc:postgresql://127.0.0.1:" + databaseLine.port() + "/sheaf");
        all.put("database-user", "postgres");
        all.put("database-password", "unused");
        all.put("trusted-proxies", "127.0.0.1");
        all.put("drain-seconds", "3");
        all.put("log-level", "warn");
        all.put("min-free-bytes", "1048576");
        all.putAll(BucketServer.settings(bucketLine.port()));
        if (replica != null) {
            all.put(
                    "database-url",
                    "jdbc:postgresql://" + database.address() + "," + replica.address()
                            + "/sheaf?targetServerType=primary");
        }
        if (pooler != null) {
            all.put("database-url", pooler.jdbcUrl());
            all.put("postgres-listen-url", direct().jdbcUrl());
        }
        all.putAll(more);
        return all;
    }

    private Haproxy haproxy() throws IOException {
        return Haproxy.start(
                dir("haproxy"), ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }

    private Nginx nginx() throws IOException {
        String servers = ports.stream()
                .map(port -> "server 127.0.0.1:" + port + " " + System.getProperty("sheaf.nginx", "max_fails=0") + ";")
                .collect(Collectors.joining(" "));
        return Nginx.startServer(folder.resolve("nginx"), "upstream sheaf { " + servers + " keepalive 32; }", """
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $http_host;
                proxy_set_header X-Forwarded-For $remote_addr;
                proxy_set_header X-Forwarded-Proto $scheme;
                proxy_next_upstream error timeout http_503;
                proxy_next_upstream_timeout 9500ms;
                proxy_connect_timeout 2s;
                proxy_read_timeout 10s;
                proxy_send_timeout 60s;
                error_page 504 = @silent; error_page 418 = @reads;
                recursive_error_pages on;
                client_max_body_size 0;
                proxy_request_buffering off;
                proxy_buffering off;
                location / {
                  if ($request_method ~ ^(GET|HEAD)$) { return 418; }
                  proxy_pass http://sheaf;
                }
                location @reads { proxy_pass http://sheaf; proxy_read_timeout 9s; }
                location ~ ^/v1/admin/|(:push|:claim|/uploads/.*|/events|/git-upload-pack)$ {
                  proxy_pass http://sheaf;
                  proxy_read_timeout 60s;
                }
                location ~ /assets/ {
                  if ($request_method ~ ^(GET|HEAD)$) { return 418; }
                  proxy_pass http://sheaf;
                  proxy_read_timeout 60s;
                }
                location @silent {
                  default_type application/problem+json;
                  add_header Retry-After 5 always;
                  return 503 '{"status":503,"title":"No node answered in time"}';
                }
                """);
    }

    /// Starts a node that is not running, at the port that it had.
    void start(int index) throws IOException {
        var flags = new ArrayList<String>();
        settings.forEach((name, value) -> flags.add("--" + name + "=" + value));
        flags.add("--port=" + ports.get(index));
        var environment = index == NODES - 1 && Files.exists(CLOCK)
                ? Map.of(
                        "LD_PRELOAD", CLOCK.toString(),
                        "FAKETIME_TIMESTAMP_FILE", clock(index).toString(),
                        "FAKETIME_CACHE_DURATION", "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                        "FAKETIME_FORCE_MONOTONIC_FIX", "0")
                : Map.<String, String>of();
        nodes[index] = ServerProcess.start(dir("" + index).resolve("data"), HEAP, flags, environment);
    }

    private Path clock(int index) {
        return folder.resolve("clock-" + index);
    }

    /// Moves the clock of the last node, such as "+3600s".
    void setClock(String offset) throws IOException {
        Files.writeString(clock(NODES - 1), offset);
    }

    ServerProcess node(int index) {
        return nodes[index];
    }

    List<Long> pids() {
        return Arrays.stream(nodes).map(ServerProcess::pid).toList();
    }

    void signalNode(int index, String name) throws IOException {
        Commands.run("kill", "-" + name, "" + nodes[index].pid());
    }

    DebianPostgres database() {
        return database;
    }

    DebianPostgres replica() {
        return Objects.requireNonNull(replica);
    }

    PgBouncer pooler() {
        return Objects.requireNonNull(pooler);
    }

    BucketServer bucket() {
        return bucket;
    }

    Line databaseLine() {
        return databaseLine;
    }

    Line bucketLine() {
        return bucketLine;
    }

    String jdbcUrl() {
        return direct().jdbcUrl();
    }

    /// A file that takes all the space that is left on the disk of a node or the database.
    void fill(String name) throws IOException {
        try (var out = Files.newOutputStream(ballast(name))) {
            var block = new byte[1 << 16];
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space")) {
                throw e;
            }
        }
    }

    void empty(String name) throws IOException {
        Files.deleteIfExists(ballast(name));
    }

    private Path ballast(String name) {
        return folder.resolve(name).resolve("ballast");
    }

    String url() {
        return url;
    }

    String logOfNginx() throws IOException {
        return Files.readString(folder.resolve("nginx").resolve("nginx.log"));
    }

    String url(int index) {
        return nodes[index].url();
    }

    String admin() {
        return admin.expose();
    }

    @Override
    public void close() throws IOException {
        for (var node : nodes) {
            if (node != null) {
                node.close();
            }
        }
        for (var part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                System.out.println("cannot be ended: " + e);
            }
        }
        for (var place : mounted) {
            Commands.run("umount", place.toString());
        }
    }
}
