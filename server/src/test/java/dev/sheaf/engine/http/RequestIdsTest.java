package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.trace.TraceParent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdsTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @ParameterizedTest
    @ValueSource(strings = {"a", "0123-ab_c.D", "01234567-89ab-7def-8123-456789abcdef"})
    void keepsASaneIdOfTheCaller(String id) {
        assertThat(RequestIds.of(id, null).requestId()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-a", "a b", "a\"b", "<script>", "a\r\nX: y", "é", "a,b", "a/b"})
    void makesItsOwnInPlaceOfAnyOther(String id) {
        assertThat(RequestIds.of(id, null).requestId()).matches("[0-9a-f]{32}");
    }

    @Test
    void takes128CharactersAndNotOneMore() {
        String longest = "a".repeat(128);

        assertThat(RequestIds.of(longest, null).requestId()).isEqualTo(longest);
        assertThat(RequestIds.of(longest + "a", null).requestId()).hasSize(32);
    }

    @Test
    void continuesTheTraceOfATrustedCaller() {
        var ids = RequestIds.of(null, new TraceParent(TRACE, "00f067aa0ba902b7", true));

        assertThat(ids.traceId()).isEqualTo(TRACE);
        assertThat(ids.requestId()).isNotEqualTo(TRACE);
        assertThat(RequestIds.of(null, null).traceId()).matches("[0-9a-f]{32}");
    }

    @Test
    void makesAnotherIdForEveryRequest() {
        assertThat(RequestIds.of(null, null)).isNotEqualTo(RequestIds.of(null, null));
    }
}
