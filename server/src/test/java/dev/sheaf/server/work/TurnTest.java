package dev.sheaf.server.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final Turn turn = new Turn("test", "it", "owner", UUID.randomUUID());

    /// What fails then has failed, and is to be written down.
    @Test
    void whoMakesRoomForOthersIsNotStopped() {
        turn.end();

        assertThat(turn.isOver()).isTrue();
        assertThat(turn.isStopped()).isFalse();
    }

    @Test
    void whoIsStoppedComesToAnEnd() {
        turn.stop();

        assertThat(turn.isOver()).isTrue();
        assertThat(turn.isStopped()).isTrue();
    }
}
