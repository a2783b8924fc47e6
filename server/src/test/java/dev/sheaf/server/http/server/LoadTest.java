package dev.sheaf.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.cpu.Backlog;
import dev.sheaf.server.http.server.Load.Verdict;
import dev.sheaf.server.metrics.Tally;
import dev.sheaf.server.net.Cidr;
import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final int MOST = 10;

    private final Tally refused = new Tally();
    private final ConnectionLimit room = new ConnectionLimit(MOST, MOST, List.of());
    private final Load load = new Load(room, Duration.ZERO, new Backlog(), refused);

    private static Connections.Connection connection() throws IOException {
        return connection("192.0.2.1");
    }

    private static Connections.Connection connection(String address) throws IOException {
        return new Connections.Connection(
                SocketChannel.open(), new InetSocketAddress(address, 1), ConnectionLimit.Slot.FULL);
    }

    @Test
    void whoAsksForMuchAtOnceIsRefusedFirst() throws IOException {
        var greedy = connection();
        for (int i = 0; i < MOST; i++) {
            assertThat(load.begin(greedy)).isEqualTo(Verdict.WELCOME);
        }

        assertThat(load.begin(greedy)).isEqualTo(Verdict.CROWDED);
        load.end(greedy);
        assertThat(load.begin(null)).as("of an unknown connection").isEqualTo(Verdict.CROWDED);
        load.end(null);

        var modest = connection();
        assertThat(load.begin(modest)).isEqualTo(Verdict.WELCOME);
        assertThat(load.begin(modest)).isEqualTo(Verdict.CROWDED);
        load.end(modest);
        load.end(modest);
        load.end(greedy);
        assertThat(load.begin(greedy)).isEqualTo(Verdict.WELCOME);
    }

    /// Otherwise all others could ask for one thing at a time only.
    @Test
    void noAddressTakesAllPlaces() throws IOException {
        var proxies = List.of(Cidr.parse("198.51.100.1"));
        var shared = new Load(new ConnectionLimit(800, 200, proxies), Duration.ZERO, new Backlog(), refused);
        var greedy = List.of(connection(), connection());
        for (int round = 0; round < 3; round++) { // what is counted is also counted no longer
            greedy.forEach(connection -> begin(shared, connection, 200));
            assertThat(shared.begin(greedy.getFirst())).as("over half").isEqualTo(Verdict.CROWDED);
            shared.end(greedy.getFirst());
            var modest = connection("192.0.2.2");
            begin(shared, modest, 201);
            assertThat(shared.begin(modest)).as("more than its share").isEqualTo(Verdict.CROWDED);
            shared.end(modest);
            var proxy = connection("198.51.100.1");
            begin(shared, proxy, 199);
            assertThat(shared.begin(proxy)).as("all places are taken").isEqualTo(Verdict.CROWDED);
            end(shared, proxy, 200);
            end(shared, modest, 201);
            greedy.forEach(connection -> end(shared, connection, 200));
        }
    }

    private static void begin(Load load, Connections.Connection connection, int requests) {
        for (int i = 0; i < requests; i++) {
            assertThat(load.begin(connection)).isEqualTo(Verdict.WELCOME);
        }
    }

    private static void end(Load load, Connections.Connection connection, int requests) {
        for (int i = 0; i < requests; i++) {
            load.end(connection);
        }
    }

    @Test
    void whatEndsWhileOthersBeginIsCountedNoLonger() throws Exception {
        var shared = new Load(new ConnectionLimit(400, 1, List.of()), Duration.ZERO, new Backlog(), refused);
        var connection = connection();
        var busy = IntStream.range(0, 4)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    for (int j = 0; j < 100_000; j++) {
                        shared.begin(connection);
                        shared.end(connection);
                    }
                }))
                .toList();
        for (var thread : busy) {
            thread.join();
        }

        begin(shared, connection, 201);
        assertThat(shared.begin(connection)).isEqualTo(Verdict.CROWDED);
    }

    @Test
    void requestsThatWaitForEventsDoNotCount() throws IOException {
        var follower = connection();
        for (int i = 0; i < 5 * MOST; i++) {
            assertThat(load.begin(follower)).isEqualTo(Verdict.WELCOME);
            load.leave(follower);
        }

        for (int i = 0; i < MOST; i++) {
            load.enter(follower);
        }

        assertThat(load.begin(follower)).isEqualTo(Verdict.CROWDED);
    }

    @Test
    void whoWouldWaitTooLongForAProcessorIsRefused() throws Exception {
        var hasty = new Load(room, Duration.ofNanos(1), new Backlog(), refused);
        var connection = connection();
        var asks = Thread.ofVirtual().start(() -> {
            Eventually.within(Duration.ofSeconds(60), () -> {
                var verdict = hasty.begin(connection);
                hasty.end(connection);
                return verdict == Verdict.LATE;
            });
        });

        asks.join();

        assertThatThrownBy(() -> hasty.apply(Verdict.LATE))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("all processors of this node are busy");
        assertThat(refused.of("processors").sum()).isEqualTo(1);
        assertThat(refused.of("requests").sum()).isZero();
    }
}
