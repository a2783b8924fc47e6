package dev.sheaf.engine.db.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageTimerTest {
    @ParameterizedTest
    @CsvSource({
        "PT0.2S, 1 second",
        "PT1.6S, 2 seconds",
        "PT61S, 61 seconds",
        "PT2M, 2 minutes",
        "PT119M, 119 minutes",
        "PT27H5M, 27 hours and 5 minutes"
    })
    void saysHowLongItLasted(Duration time, String text) {
        var now = new AtomicLong(-5);
        var outage = new OutageTimer(now::get);
        outage.begins();
        now.addAndGet(time.toNanos());

        assertThat(outage.lasted()).isEqualTo(text);
    }

    @Test
    void theCauseIsTheDeepestMessageInOneLine() {
        assertThat(RootCause.of(new SQLException("no line", new ConnectException("Connection refused"))))
                .isEqualTo("Connection refused");
        assertThat(RootCause.of(new IllegalStateException(new SQLException("ERROR: too long\n  Where: here"))))
                .isEqualTo("ERROR: too long Where: here");
        assertThat(RootCause.of(new SQLException("the answer ended", new EOFException())))
                .isEqualTo("the answer ended");
        assertThat(RootCause.of(new SQLException("no line", new UnknownHostException("db.example.com"))))
                .isEqualTo("UnknownHostException: db.example.com");
        assertThat(RootCause.of(new IllegalStateException())).isEqualTo("IllegalStateException");
    }
}
