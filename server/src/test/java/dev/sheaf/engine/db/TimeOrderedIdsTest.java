package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTest {
    /// RFC 9562, section 5.7.
    @Test
    void areUuidsOfVersion7() {
        var now = Instant.parse("2030-01-31T12:00:00.123Z");

        UUID id = TimeOrderedIds.next(now);

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16)).isEqualTo(now);
    }

    @Test
    void sortAsTextByTheTimeTheyWereMade() {
        var start = Instant.parse("2030-01-31T12:00:00Z");

        var ids = Stream.iterate(start, time -> time.plusMillis(1))
                .limit(1_000)
                .map(time -> TimeOrderedIds.next(time).toString())
                .toList();

        assertThat(ids).isSorted();
    }

    /// Lists and the order of events go by ids, and much is made in one millisecond.
    @Test
    void sortAsTextWithinOneMillisecond() {
        var ids = Stream.generate(() -> TimeOrderedIds.next(Instant.EPOCH).toString())
                .limit(10_000)
                .toList();

        assertThat(ids).isSorted().doesNotHaveDuplicates().allMatch(id -> id.matches("00000000-0000-7.*-[89ab].*"));
    }
}
