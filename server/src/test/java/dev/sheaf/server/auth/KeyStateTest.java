package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyStateTest {
    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");

    /// Columns: seconds from now (empty: never); what becomes of it.
    @ParameterizedTest
    @CsvSource({
        // expires, retires, disabled, revoked, word,     fault
        "       ,        ,         ,        , active,   ",
        "     10,        ,         ,        , active,   ",
        "       ,      10,         ,        , retiring, ",
        "      0,        ,         ,        , expired,  EXPIRED",
        "     -1,        ,         ,        , expired,  EXPIRED",
        "       ,       0,         ,        , expired,  EXPIRED",
        "     10,      -1,         ,        , expired,  EXPIRED",
        "       ,        ,       -5,        , disabled, DISABLED",
        "       ,      10,       -5,        , disabled, DISABLED",
        "     -1,        ,       -5,        , expired,  EXPIRED",
        "     10,        ,         ,      -1, revoked,  REVOKED",
        "     -1,      -1,       -1,      -1, revoked,  REVOKED"
    })
    void hasOneStateAtATime(
            @Nullable Integer expires,
            @Nullable Integer retires,
            @Nullable Integer disabled,
            @Nullable Integer revoked,
            String word,
            @Nullable String fault) {
        var life = new KeyLife(at(expires), at(retires), at(disabled), at(revoked));

        assertThat(life.state(NOW).toString()).isEqualTo(word);
        assertThat(life.state(NOW).fault().map(Enum::name).orElse(null)).isEqualTo(fault);
    }

    @Test
    void endsAtTheVeryMoment() {
        var life = new KeyLife(NOW, null, null, null);

        assertThat(life.state(NOW.minusMillis(1)).fault()).isEmpty();
        assertThat(life.state(NOW).fault()).isPresent();
    }

    private static @Nullable Instant at(@Nullable Integer seconds) {
        return seconds == null ? null : NOW.plusSeconds(seconds);
    }
}
