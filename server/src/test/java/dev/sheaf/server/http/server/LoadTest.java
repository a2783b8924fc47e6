package dev.sheaf.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.cpu.Backlog;
import dev.sheaf.server.http.server.Load.Verdict;
import dev.sheaf.server.metrics.Tally;
import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final int MOST = 10;

    private final Tally refused = new Tally();
    private final Load load = new Load(MOST, Duration.ZERO, new Backlog(), refused);

    private static Connections.Connection connection() throws IOException {
        return new Connections.Connection(
                SocketChannel.open(), new InetSocketAddress("127.0.0.1", 1), ConnectionLimit.Slot.FULL);
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
        var hasty = new Load(MOST, Duration.ofNanos(1), new Backlog(), refused);
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
