package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.KeptRelease;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The release before and this program on one database and one bucket.
@Timeout(300)
class RollingUpgradeTest {
    private static final int REQUESTS = Integer.getInteger("sheaf.rolling", 600);
    private static final int CLIENTS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String BUNDLE = RollingLoad.BUNDLE;

    @TempDir
    private Path folder;

    private static List<String> flags(Map<String, String> settings, int port) {
        var flags = new ArrayList<String>();
        settings.forEach((name, value) -> {
            if (!name.equals("data-dir") && !name.equals("port")) {
                flags.add("--" + name + "=" + value);
            }
        });
        flags.add("--port=" + port);
        flags.add("--drain-seconds=3");
        return flags;
    }

    /// The database is empty, so it gets its schema from the release before, and the first new node upgrades it.
    private Map<String, String> installation() {
        var settings = new LinkedHashMap<>(TestApp.settings(
                Stack.POSTGRES_AND_BUCKET,
                folder.resolve("settings"),
                Map.of("master-key", MasterSecret.generate(), "trusted-proxies", "127.0.0.1")));
        settings.put("database-url", Databases.emptyPostgres().jdbcUrl());
        return settings;
    }

    private static Map<String, String> own(Map<String, String> settings, Path data, int port) {
        var all = new LinkedHashMap<>(settings);
        all.put("data-dir", data.toString());
        all.put("port", Integer.toString(port));
        return all;
    }

    /// Each sees what the other writes, and after the upgrade the old one can start again.
    @Test
    void bothServeTheSameAndTheOldOneStartsAgain() throws Exception {
        var release = KeptRelease.in(folder.resolve("release"));
        var settings = installation();
        try (var old = release.start(folder.resolve("0"), flags(settings, Ports.free()));
                var before = new Requests(old.url())) {
            var admin = old.adminKey();
            pushed(before, admin, "1.0.0");
            try (var next = TestApp.on(own(settings, folder.resolve("1"), Ports.free()), admin);
                    var after = new Requests(next.url())) {
                assertThat(latest(after)).isEqualTo("1.0.0");
                pushed(after, admin, "1.1.0");
                Eventually.within(LIMIT, () -> latest(before).equals("1.1.0"));
                pushed(before, admin, "1.2.0");
                Eventually.within(LIMIT, () -> latest(after).equals("1.2.0"));
            }
            old.terminate();
            old.exitCode();
            try (var again = release.start(folder.resolve("0"), flags(settings, Ports.free()));
                    var requests = new Requests(again.url())) {
                assertThat(requests.get(BUNDLE + "/versions/1.1.0:pull", null).status())
                        .isEqualTo(200);
                pushed(requests, admin, "1.3.0");
            }
        }
    }

    private static void pushed(Requests node, Secret admin, String version) {
        assertThat(RollingLoad.push(node, admin.expose(), version).status()).isEqualTo(201);
    }

    private static String latest(Requests node) {
        return node.get(BUNDLE + ":resolve", null).json().at("/version").stringValue();
    }

    /// Three nodes of the release before are replaced in turn while clients read and write, then one of this program.
    /// `-Dsheaf.rolling=20000` sets the number of requests.
    @Test
    void noRequestFailsWhileNodesAreReplaced() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var release = KeptRelease.in(folder.resolve("release"));
        var settings = installation();
        var ports = IntStream.range(0, 3).mapToObj(i -> Ports.free()).toList();
        var nodes = new ArrayList<ServerProcess>();
        try {
            for (int i = 0; i < ports.size(); i++) {
                nodes.add(release.start(folder.resolve("old" + i), flags(settings, ports.get(i))));
            }
            var admin = nodes.getFirst().adminKey();
            try (var first = new Requests(nodes.getFirst().url())) {
                pushed(first, admin, "1.0.0");
            }
            var addresses = ports.stream().map(port -> "127.0.0.1:" + port).toList();
            try (var nginx = RollingLoad.proxy(folder.resolve("nginx"), addresses)) {
                var load = new RollingLoad(REQUESTS);
                load.during(nginx, admin, CLIENTS, () -> {
                    for (int i = 0; i < ports.size(); i++) {
                        replace(load, nodes, i, settings);
                    }
                    load.strictly();
                    replace(load, nodes, 0, settings);
                });
            }
        } finally {
            nodes.forEach(ServerProcess::close);
        }
    }

    private void replace(RollingLoad load, List<ServerProcess> nodes, int i, Map<String, String> settings)
            throws InterruptedException {
        load.await();
        int port = nodes.get(i).port();
        nodes.get(i).terminate();
        assertThat(nodes.get(i).exitCode()).as("requests cut off").isZero();
        try {
            nodes.set(i, ServerProcess.start(folder.resolve("new" + i), List.of(), flags(settings, port)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
