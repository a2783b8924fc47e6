package dev.sheaf.server.db.beat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoundedSocketsTest {
    private static final int PIECE = 1 << 20;
    private static final int PIECES = 100;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final BoundedSockets.Stream stream =
            new BoundedSockets.Stream(new ByteArrayInputStream(new byte[PIECES * PIECE]), nanos::get);

    private void read(int pieces) throws IOException {
        byte[] buffer = new byte[PIECE];
        for (int i = 0; i < pieces; i++) {
            assertThat(stream.read(buffer)).isEqualTo(PIECE);
        }
    }

    @Test
    void takesWhatArrivesAtOnceAndAsMuchAgainAfterAWhile() throws Exception {
        int most = (int) (BoundedSockets.AT_ONCE / PIECE);
        read(most);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        read(most);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        read((int) (BoundedSockets.EACH_SECOND / PIECE));

        assertThatThrownBy(() -> stream.read()).isInstanceOf(IOException.class).hasMessageContaining("NOTIFY");
    }

    @Test
    void ends() throws Exception {
        for (int i = 0; i < PIECES; i++) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            read(1);
        }

        assertThat(stream.read()).isEqualTo(-1);
        assertThat(stream.read(new byte[1])).isEqualTo(-1);
    }
}
