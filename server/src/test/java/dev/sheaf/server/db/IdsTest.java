package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdsTest {
    /// RFC 9562, section 5.7.
    @Test
    void areUuidsOfVersion7() {
        var now = Instant.parse("2030-01-31T12:00:00.123Z");

        UUID id = Ids.next(now);

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16)).isEqualTo(now);
    }

    @Test
    void sortAsTextByTheTimeTheyWereMade() {
        var start = Instant.parse("2030-01-31T12:00:00Z");

        var ids = Stream.iterate(start, time -> time.plusMillis(1))
                .limit(1_000)
                .map(time -> Ids.next(time).toString())
                .toList();

        assertThat(ids).isSorted();
    }

    @Test
    void differWithinOneMillisecond() {
        Set<UUID> ids = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            ids.add(Ids.next(Instant.EPOCH));
        }

        assertThat(ids).hasSize(10_000);
    }
}
