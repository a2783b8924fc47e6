package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageFormatTest {
    private static final Instant NOW = Instant.parse("2026-07-04T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "PT0S, just now",
        "PT59S, just now",
        "PT1M, 1 minute ago",
        "PT59M59S, 59 minutes ago",
        "PT1H, 1 hour ago",
        "PT47H59M, 47 hours ago",
        "PT48H, 2 days ago",
        "P99DT23H, 99 days ago",
        "P100D, 3 months ago",
        "P729D, 23 months ago",
        "P730D, 2 years ago",
        "-PT1S, in a minute",
        "-PT61S, in 2 minutes",
        "-PT1H, in 1 hour",
        "-PT49H, in 3 days",
        "-P89DT23H59M59S, in 90 days",
        "-P3650D, in 10 years",
    })
    void howLongAgo(Duration ago, String said) {
        assertThat(PageFormat.relative(NOW.minus(ago), NOW)).isEqualTo(said);
    }

    @Test
    void aKeptPageIsNotFalseByAsMuchAsTheSmallestUnit() {
        assertThat(KeptPages.FRESH).isLessThan(Duration.ofMinutes(1));
    }
}
