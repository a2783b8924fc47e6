package dev.sheaf.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.cli.CommandLineFixture;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueParsersTest extends CommandLineFixture {
    @ParameterizedTest
    @CsvSource({
        "90d, P90D",
        "2w, P14D",
        "12h, PT12H",
        "0m, PT0M",
        "999999999w, P6999999993D",
        "P1Y, P1Y",
        "90 d, 90 d",
        "soon, soon"
    })
    void aPeriodIsSaidAsTheRegistryReadsIt(String typed, String said) {
        assertThat(ValueParsers.iso(typed)).isEqualTo(said);
    }

    @Test
    void anAgeIsATimeAndAllElseStays() {
        var hourAgo = Instant.parse(ValueParsers.place("1h"));

        assertThat(Duration.between(hourAgo, Instant.now())).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(62));
        assertThat(Instant.parse(ValueParsers.place("P2D"))).isBefore(hourAgo);
        assertThat(ValueParsers.place("2026-01-15T00:00:00Z")).isEqualTo("2026-01-15T00:00:00Z");
        assertThat(ValueParsers.place("1234")).isEqualTo("1234");
        assertThat(ValueParsers.place("yesterday")).isEqualTo("yesterday");
        assertThatThrownBy(() -> ValueParsers.place("Psoon")).hasMessageContaining("write a period such as 12h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"never", "-3d", "PT-5M", "36501d", "999999999w", "PT9223372036854775807S", "P1Y"})
    void aPeriodIsNeitherNegativeNorEndless(String typed) {
        var pruned = run("cache", "prune", "--unused=" + typed);

        assertThat(pruned.status()).isEqualTo(2);
        assertThat(pruned.err()).startsWith("sheaf: --unused: write a period ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "1-1-1-1-1", "01900000-0000-7000-8000-00000000000g"})
    void anIdIsAskedForInWords(String typed) {
        var shown = run("webhooks", "show", typed);

        assertThat(shown.status()).isEqualTo(2);
        assertThat(shown.err())
                .startsWith("sheaf: ID: \"" + typed + "\" is not an id")
                .doesNotContain("Exception");
    }
}
