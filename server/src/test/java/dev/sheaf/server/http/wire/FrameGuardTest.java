package dev.sheaf.server.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.http.Http2Frames;
import io.helidon.webserver.CloseConnectionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FrameGuardTest {
    private static final int WINDOW_UPDATE = 8;

    private final AtomicLong now = new AtomicLong();
    private final Queue<byte[]> wire = new ArrayDeque<>();
    private final List<Integer> reset = new ArrayList<>();
    private final FrameGuard guard = new FrameGuard(wire::poll, now::get, reset::add);

    FrameGuardTest() {
        wire.add(Http2Frames.PREFACE);
        guard.get();
    }

    @Test
    void framesWithoutUseRunOut() {
        for (int i = 0; i < FrameGuard.BURST; i++) {
            send(WINDOW_UPDATE, new byte[4]);
        }

        assertThatThrownBy(() -> send(WINDOW_UPDATE, new byte[4])).isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void whoReadsMuchMayMakeRoomOften() {
        for (int i = 0; i < 100_000; i++) {
            guard.wrote(16 << 10);
            assertThat(send(WINDOW_UPDATE, new byte[4])).isNotNull();
        }
    }

    @Test
    void timeGivesThemBack() {
        for (int i = 0; i < 20 * FrameGuard.BURST; i++) {
            now.addAndGet(TimeUnit.SECONDS.toNanos(1) / FrameGuard.EACH_SECOND);
            assertThat(send(WINDOW_UPDATE, new byte[4])).isNotNull();
        }
    }

    @Test
    void bytesOfDataAreFree() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(send(0, new byte[10])).isNotNull();
        }
    }

    /// Frames come in pieces of any size.
    @Test
    void framesAreSeenAcrossPieces() {
        byte[] frame = Http2Frames.frame(WINDOW_UPDATE, 0, 0, new byte[4]);
        for (int i = 0; i < FrameGuard.BURST; i++) {
            sendInBytes(frame);
        }

        assertThatThrownBy(() -> sendInBytes(frame)).isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void resetsAreTold() {
        wire.add(Http2Frames.frame(3, 0, 0x01020305, new byte[4]));
        guard.get();

        assertThat(reset).containsExactly(0x01020305);
    }

    private void sendInBytes(byte[] frame) {
        for (byte b : frame) {
            wire.add(new byte[] {b});
            guard.get();
        }
    }

    private byte @org.jspecify.annotations.Nullable [] send(int type, byte[] payload) {
        wire.add(Http2Frames.frame(type, 0, 0, payload));
        return guard.get();
    }
}
