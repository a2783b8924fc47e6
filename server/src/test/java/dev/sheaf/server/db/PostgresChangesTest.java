package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresChangesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1000, 1004, 1009, 0", // five milliseconds there, four back, or none of it: nothing says that it moved
        "0, 1000, 1001, 1000, 0", // rounding
        "7, 1000, 1004, 1009, 5", // the database can be ahead by 4 at most
        "-9, 1000, 1004, 1009, -6",
        "0, 1000, 61000, 1002, 59997",
        "59997, 2000, 62001, 2001, 59999",
    })
    void theDatabasesClockIsFollowedOnlyAsFarAsAMeasurementProves(
            long kept, long before, long there, long after, long expected) {
        assertThat(PostgresChanges.offset(kept, before, there, after)).isEqualTo(expected);
    }
}
