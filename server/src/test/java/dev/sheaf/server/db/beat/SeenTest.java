package dev.sheaf.server.db.beat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a node may take from the looks of others.
class SeenTest {
    private static final long THERE = 1_795_000_000_000L; // by the database's clock
    private static final long WALL = THERE + 3_600_000; // by this machine's, which is wrong
    private static final long BEGIN = -7; // such a clock may begin anywhere

    private final Seen seen = new Seen();

    private static long after(long millis) {
        return BEGIN + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static Beat.Look look(String from, String to, long after) {
        return new Beat.Look(from, to, THERE + after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10:20:      | 10:20:      | true",
                "10:20:10    | 10:20:10    | true",
                "10:20:      | 10:20:10    | true", // 10 ended meanwhile
                "10:20:10    | 11:20:      | false", // 10 ended in the other one
                "10:20:10,15 | 10:20:10    | false",
                "20:20:      | 10:21:10    | false", // 20 ended in the other one, or may have
                "10:30:12    | 10:20:10    | false",
                "25:30:25    | 10:20:10    | true", // 25 began after the other one
            })
    void aSnapshotCoversAnotherOneIfAllThatEndedThereEndedHere(String one, String other, boolean expected) {
        assertThat(Snapshot.parse(one).covers(Snapshot.parse(other))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1:2", "1:2:x", "1:2:3,", "-1:2:", "1:99999999999999999999:"})
    void aSnapshotHasOneForm(String text) {
        assertThatThrownBy(() -> Snapshot.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLookThatBeginsWhereThisNodeIsLeadsOn() {
        seen.looked("10:20:15", THERE, BEGIN, WALL);
        var next = look("10:20:10,15", "22:22:", 700);

        assertThat(seen.isNew(next)).isTrue();
        assertThat(seen.follow(next, after(705))).isTrue();

        assertThat(seen.isNew(next)).isFalse();
        assertThat(seen.snapshot()).isEqualTo("22:22:");
        assertThat(seen.at()).as("not when the message came").isEqualTo(after(700));
        assertThat(seen.follow(look("22:22:", "30:30:", 1_400), after(9_000))).isTrue();
        assertThat(seen.at()).isEqualTo(after(1_400));
    }

    /// Transaction 15 ended between, and the other node told of it earlier, which this one did not hear.
    @Test
    void aLookBehindAGapDoesNot() {
        seen.looked("10:20:15", THERE, BEGIN, WALL);

        assertThat(seen.follow(look("20:20:", "22:22:", 700), after(705))).isFalse();

        assertThat(seen.snapshot()).isEqualTo("10:20:15");
        assertThat(seen.at()).isEqualTo(BEGIN);
    }

    @Test
    void withoutALookOfItsOwnANodeFollowsNobody() {
        assertThat(seen.isNew(look("1:1:", "2:2:", 0))).isTrue();
        assertThat(seen.follow(look("1:1:", "2:2:", 0), after(0))).isFalse();
        seen.looked("10:20:", THERE, BEGIN, WALL);
        seen.missed();
        assertThat(seen.follow(look("10:20:", "20:20:", 10), after(10))).isFalse();
    }

    /// Otherwise a message that was under way for long would look new.
    @Test
    void aLookFromTheFutureIsNotBelieved() {
        seen.looked("10:20:", THERE, BEGIN, WALL);

        assertThat(seen.follow(look("10:20:", "20:20:", 3_600_000), after(700))).isFalse();
    }

    /// After a crash the database gives the numbers of the last transactions again, and somebody may send an old
    /// message.
    @Test
    void aLookFromBeforeThatOfThisNodeIsNotBelieved() {
        seen.looked("10:20:", THERE, BEGIN, WALL);

        assertThat(seen.follow(look("10:20:", "20:20:", -1), after(700))).isFalse();
    }

    @Test
    void aNodeLooksForItselfAfterAWhileAndWhenItsClockWasSet() {
        seen.looked("10:20:", THERE, BEGIN, WALL);
        assertThat(seen.isOwnDue(after(29_000), WALL + 29_000)).isFalse();
        assertThat(seen.isOwnDue(after(29_000), WALL + 29_051))
                .as("set by 51 ms")
                .isTrue();
        assertThat(seen.isOwnDue(after(29_000), WALL - 3_600_000)).isTrue();

        seen.follow(look("10:20:", "20:20:", 29_000), after(29_000));

        assertThat(seen.isOwnDue(after(30_001), WALL + 30_001)).isTrue();
    }

    /// Rows are deleted after a minute.
    @Test
    void aProcessThatStoodStillMayHaveMissedRows() {
        assertThat(seen.looked("10:20:", THERE, BEGIN, WALL)).isFalse();
        assertThat(seen.looked("10:20:", THERE + 30_000, after(1), WALL)).isFalse();

        assertThat(seen.looked("20:20:", THERE + 60_001, after(2), WALL)).isTrue();

        assertThat(seen.isOld(after(30_002))).isFalse();
        assertThat(seen.isOld(after(30_003))).isTrue();
    }
}
