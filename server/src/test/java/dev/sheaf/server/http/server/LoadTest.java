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
        var shared = new Load(
                new ConnectionLimit(20, 5, List.of(Cidr.parse("198.51.100.1"))), Duration.ZERO, new Backlog(), refused);
        var greedy = List.of(connection(), connection());
        for (int round = 0; round < 3; round++) { // what is counted is also counted no longer
            for (int i = 0; i < 10; i++) {
                assertThat(shared.begin(greedy.get(i % 2)))
                        .as("request %s, half of the places", i)
                        .isEqualTo(Verdict.WELCOME);
            }
            assertThat(shared.begin(greedy.getFirst())).isEqualTo(Verdict.CROWDED);
            shared.end(greedy.getFirst());
            var modest = connection("192.0.2.2");
            var proxy = connection("198.51.100.1");
            for (int i = 0; i < 6; i++) {
                assertThat(shared.begin(modest)).isEqualTo(Verdict.WELCOME);
            }
            for (int i = 0; i < 4; i++) {
                assertThat(shared.begin(proxy)).isEqualTo(Verdict.WELCOME);
            }
            assertThat(shared.begin(proxy)).as("all places are taken").isEqualTo(Verdict.CROWDED);
            for (int i = 0; i < 5; i++) {
                shared.end(proxy);
            }
            assertThat(shared.begin(modest)).as("more than its share").isEqualTo(Verdict.CROWDED);
            for (int i = 0; i < 7; i++) {
                shared.end(modest);
            }
            for (int i = 0; i < 10; i++) {
                shared.end(greedy.get(i % 2));
            }
        }
    }

    @Test
    void whatEndsWhileOthersBeginIsCountedNoLonger() throws Exception {
        var shared = new Load(new ConnectionLimit(4, 1, List.of()), Duration.ZERO, new Backlog(), refused);
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

        assertThat(shared.begin(connection("192.0.2.2"))).isEqualTo(Verdict.WELCOME);
        assertThat(shared.begin(connection)).isEqualTo(Verdict.WELCOME);
        assertThat(shared.begin(connection)).as("its share").isEqualTo(Verdict.WELCOME);
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
