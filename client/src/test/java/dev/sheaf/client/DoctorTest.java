package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The comparison of clocks.
class DoctorTest {
    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00.9Z, OK, agrees with the registry's clock",
        "2026-01-01T00:00:45Z, OK, is 45 s ahead of the registry's clock",
        "2026-01-01T00:10:00Z, WARNING, is 600 s ahead of the registry's clock",
        "2025-12-31T23:50:00Z, WARNING, is 600 s behind the registry's clock"
    })
    void aClockMayBeAMinuteOff(Instant here, Doctor.State state, String detail) {
        var check = Doctor.clock("Thu, 01 Jan 2026 00:00:00 GMT", here);

        assertThat(check.state()).isEqualTo(state);
        assertThat(check.detail()).isEqualTo(detail);
    }

    @Test
    void aTimeThatCannotBeReadIsNoFailure() {
        assertThat(Doctor.clock("now", Instant.EPOCH).state()).isEqualTo(Doctor.State.WARNING);
        assertThat(Doctor.clock(null, Instant.EPOCH).state()).isEqualTo(Doctor.State.WARNING);
    }
}
