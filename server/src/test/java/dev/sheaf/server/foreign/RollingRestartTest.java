package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes behind nginx are restarted in turn while clients read and write. No request fails.
/// `-Dsheaf.rolling=20000` sets the number of requests.
@Timeout(300)
class RollingRestartTest {
    private static final int REQUESTS = Integer.getInteger("sheaf.rolling", 1_000);
    private static final int CLIENTS = 6;
    private static final Duration DRAIN = Duration.ofMillis(1_500);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    @Test
    void noRequestFails() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var nodes = new ArrayList<TestApp>();
        nodes.add(TestApp.start(
                Stack.POSTGRES_AND_BUCKET,
                folder.resolve("0"),
                InstantSource.system(),
                Map.of("port", Integer.toString(Ports.free()), "trusted-proxies", "127.0.0.1")));
        try {
            for (String name : List.of("1", "2")) {
                var own = Map.of("data-dir", folder.resolve(name).toString(), "port", Integer.toString(Ports.free()));
                nodes.add(nodes.getFirst().startOn(nodes.getFirst().with(own)));
            }
            var admin = Secret.of(nodes.getFirst().admin());
            try (var first = new Requests(nodes.getFirst().url())) {
                assertThat(RollingLoad.push(first, admin.expose(), "1.0.0").status())
                        .isEqualTo(201);
            }
            var hosts = nodes.stream().map(TestApp::host).toList();
            try (var nginx = RollingLoad.proxy(folder.resolve("nginx"), hosts)) {
                var load = new RollingLoad(REQUESTS);
                load.during(nginx, admin, CLIENTS, () -> restart(load, nodes));
            }
        } finally {
            nodes.forEach(TestApp::close);
        }
    }

    /// Ends each node as a signal does and starts it again, while clients send requests.
    private static void restart(RollingLoad load, List<TestApp> nodes) {
        for (int i = 0; i < nodes.size(); i++) {
            load.await();
            assertThat(nodes.get(i).stop(DRAIN, LIMIT)).as("requests cut off").isZero();
            nodes.set(i, nodes.get(i).again(InstantSource.system()));
        }
    }
}
