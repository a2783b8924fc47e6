package dev.sheaf.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkClaimTest {
    private final WorkClaim claim = new WorkClaim("test", "it", "owner", 0);

    @Test
    void claimThatMakesRoomIsOverButNotStopped() {
        claim.end();

        assertThat(claim.isOver()).isTrue();
        assertThat(claim.isStopped()).isFalse(); // so a failure of it is stored
    }

    @Test
    void stoppedClaimIsOver() {
        claim.stop();

        assertThat(claim.isOver()).isTrue();
        assertThat(claim.isStopped()).isTrue();
    }

    @Test
    void announcementsEndOneWait() {
        claim.announce();
        claim.announce();

        assertThat(claim.wasAnnounced()).isTrue();
        assertThat(claim.wasAnnounced()).isFalse();
        assertThat(claim.await(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void changeIsKnownUntilItIsRead() {
        claim.change();

        assertThat(claim.await(Duration.ofMinutes(1))).isTrue();
        assertThat(claim.isChanged()).isTrue();
        claim.readAgain();
        assertThat(claim.isChanged()).isFalse();
    }
}
