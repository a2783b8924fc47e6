package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Debris;
import dev.sheaf.server.testing.program.ServerProcess;
import dev.sheaf.server.testing.program.Strace;
import dev.sheaf.server.testing.program.Strace.Fault;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A push meets a fault at each of its syncs in turn: the process is killed there, or the disk is full or broken.
///
/// `make test` takes a few of the syncs, the first and the last among them, but breaks every one of them once;
/// `-Dsheaf.crash=all` does everything at every one.
@Timeout(600)
@Tag("slow")
@Tag("programs")
class CrashMatrixTest {
    private static final Logger LOG = LoggerFactory.getLogger(CrashMatrixTest.class);
    private static final int FEWEST = 3; // syncs that every push takes
    private static final int STRUCK = 2; // pushes that must meet their fault, so that a test says something
    private static final boolean ALL = "all".equals(System.getProperty("sheaf.crash"));
    // One carrier runs every request, so that the n-th sync of a push is the n-th of a thread.
    private static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    @TempDir
    private Path folder;

    private final List<OnePush> pushes = new ArrayList<>();

    /// Where syncs happen.
    enum Place {
        FILES("ForkJoinPool-1-worker-1", "fsync"),
        DATABASE("sqlite-writer", "fsync");

        private final String thread;
        private final String call;

        Place(String thread, String call) {
            this.thread = thread;
            this.call = call;
        }

        Strace attach(ServerProcess server, Fault fault, String when) throws IOException {
            return Strace.attach(server.thread(thread), call, fault, when);
        }
    }

    @BeforeAll
    static void needsStrace() {
        var missing = Strace.missing();
        assumeTrue(missing.isEmpty(), () -> "no fault can be made: " + missing.orElseThrow());
    }

    @ParameterizedTest
    @EnumSource
    void aKillAtASyncLosesNothingThatWasAcknowledged(Place place) throws Exception {
        var data = folder.resolve("data");
        var server = start(data);
        try {
            int syncs = count(server, place);
            int refused = 0;
            var points = points(syncs);
            for (int point : points) {
                var struck = strike(server, place, Fault.KILL, point);
                if (struck.isEmpty()) {
                    continue;
                }
                refused++;
                var push = struck.get();
                server.kill();
                server = start(data);
                push.assertStands(server);
                push.goOn(server);
                push.assertStands(server);
            }
            for (var push : pushes) {
                push.assertStands(server);
            }
            LOG.warn("killed at {} of {} syncs of {}: {}", refused, syncs, place, points);
            assertThat(refused).isGreaterThanOrEqualTo(STRUCK);
        } finally {
            server.close();
        }
        // A kill in the middle of a push at once leaves bytes that nobody knows, for the sweep that looks for
        // such.
        assertThat(Debris.in(data))
                .allMatch(left -> left.contains("without row"))
                .hasSizeLessThanOrEqualTo(pushes.size());
    }

    @ParameterizedTest
    @CsvSource({"FILES, FULL", "FILES, BROKEN", "DATABASE, FULL", "DATABASE, BROKEN"})
    void aSyncThatFailsIsToldAndTheServerGoesOn(Place place, Fault fault) throws Exception {
        var data = folder.resolve("data");
        try (var server = start(data)) {
            int syncs = count(server, place);
            int refused = 0;
            var points = fault == Fault.BROKEN
                    ? IntStream.rangeClosed(1, syncs).boxed().toList()
                    : points(syncs);
            for (int point : points) {
                var struck = strike(server, place, fault, point);
                if (struck.isPresent()) {
                    refused++;
                    struck.get().assertStands(server);
                    struck.get().goOn(server);
                    struck.get().assertStands(server);
                }
            }
            LOG.warn("{} at {} of {} syncs of {}", fault, refused, syncs, place);
            assertThat(refused).isGreaterThanOrEqualTo(STRUCK);
            assertThat(Debris.in(data)).isEmpty();
        }
        try (var again = start(data)) {
            for (var push : pushes) {
                push.assertStands(again);
            }
        }
    }

    @Test
    void aDiskThatStaysBrokenRefusesEveryPushAndServesWhatIsThere() throws Exception {
        try (var server = start(folder.resolve("data"))) {
            var before = new OnePush(server, "broken/before", 1);
            before.run();
            var during = new OnePush(server, "broken/during", 2);
            for (var place : Place.values()) {
                try (var _ = place.attach(server, Fault.BROKEN, "1+")) {
                    for (int i = 0; i < 5; i++) {
                        var refused = catchThrowableOfType(OnePush.Refused.class, during::run);
                        assertThat(refused.status).as(refused.getMessage()).isEqualTo(503);
                        before.assertStands(server);
                    }
                }
            }
            during.goOn(server);
            during.assertStands(server);
        }
    }

    /// The database has written what it could not sync, and finds it when it starts again: a push that was told to
    /// have failed must not come back half.
    @ParameterizedTest
    @EnumSource
    void aSyncThatFailedBeforeAKillLeavesNothingHalf(Place place) throws Exception {
        var data = folder.resolve("data");
        var server = start(data);
        try {
            int syncs = count(server, place);
            int refused = 0;
            for (int point : points(syncs)) {
                var struck = strike(server, place, Fault.BROKEN, point);
                if (struck.isEmpty()) {
                    continue;
                }
                refused++;
                var push = struck.get();
                server.kill();
                server = start(data);
                assertThat(Debris.in(data)).as("after sync %d", point).isEmpty();
                push.assertStands(server);
                push.goOn(server);
                push.assertStands(server);
            }
            assertThat(refused).isGreaterThanOrEqualTo(STRUCK);
        } finally {
            server.close();
        }
    }

    /// Returns a push that was refused because its sync of that number failed. Work of the server's own may meet the
    /// fault first; then another push is tried. Returns empty where no push met it: some of those that were counted
    /// belong to the server, which numbers the push's events. All pushes that were acknowledged must stand at the
    /// end.
    private Optional<OnePush> strike(ServerProcess server, Place place, Fault fault, int point) throws IOException {
        for (int attempt = 0; attempt < 3; attempt++) {
            var push = new OnePush(server, "struck/push-" + pushes.size(), pushes.size());
            pushes.add(push);
            try (var _ = place.attach(server, fault, Integer.toString(point))) {
                push.run();
            } catch (OnePush.Refused e) {
                assertThat(e.status).as(e.getMessage()).isIn(fault == Fault.KILL ? List.of(-1) : List.of(503, 507));
                return Optional.of(push);
            }
        }
        LOG.warn("{} at sync {} of {}: no push met it", fault, point, place);
        return Optional.empty();
    }

    /// How many syncs a push takes: the fewer of two, since the server has work of its own.
    private static int count(ServerProcess server, Place place) throws Exception {
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < 2; i++) {
            try (var strace = place.attach(server, Fault.NONE, "")) {
                new OnePush(server, "count/push-" + i, -1 - i).run();
                fewest = Math.min(fewest, strace.count());
            }
        }
        return fewest;
    }

    private static List<Integer> points(int syncs) {
        assertThat(syncs).isGreaterThan(FEWEST);
        return IntStream.rangeClosed(1, syncs)
                .filter(point -> ALL || point == 1 || point == syncs || point % 4 == 0)
                .boxed()
                .toList();
    }

    /// A server all of whose threads are there.
    private static ServerProcess start(Path data) throws IOException {
        var server = ServerProcess.start(data, ONE_CARRIER, List.of("--min-free-bytes", "0"));
        try {
            var ready = HttpRequest.newBuilder(URI.create(server.url() + "/health/ready"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(ready, BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return server;
    }
}
