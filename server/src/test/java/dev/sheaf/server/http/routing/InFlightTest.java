package dev.sheaf.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InFlightTest {
    private static final int MANY = 100_000; // as many as HTTP/2 can bring over a thousand connections

    private final InFlight requests = new InFlight();

    @Test
    void thereMayBeAnyNumber() {
        for (int i = 0; i < MANY; i++) {
            assertThat(requests.enter()).isTrue();
        }
        for (int i = 1; i < MANY; i++) {
            requests.leave();
        }

        assertThat(requests.drain(Duration.ZERO)).isEqualTo(1);
        assertThat(requests.enter()).isFalse();
        requests.leave();
        assertThat(requests.drain(Duration.ZERO)).isZero();
        assertThat(requests.enter()).isFalse();
    }

    @Test
    void theLastToLeaveEndsTheWait() throws Exception {
        assertThat(requests.enter()).isTrue();
        var last = Thread.ofVirtual().start(requests::leave);

        assertThat(requests.drain(Duration.ofSeconds(50))).isZero();
        last.join();
    }
}
