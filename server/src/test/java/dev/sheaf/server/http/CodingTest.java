package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodingTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gzip                         | GZIP
            GZIP                         | GZIP
            gzip, deflate, br            | GZIP
            gzip, deflate, br, zstd      | ZSTD
            zstd;q=0.5, gzip;q=0.8       | GZIP
            zstd;q=0.5, gzip;q=0.5       | ZSTD
            gzip;q=0                     | none
            gzip;q=0.0, zstd;q=0         | none
            gzip;q=2                     | none
            gzip;q=abc                   | none
            identity                     | none
            *                            | none
            xgzip                        | none
            """)
    void takesWhatTheClientPrefers(String header, String expected) {
        assertThat(Coding.accepted(List.of(header)).map(Coding::name).orElse("none"))
                .isEqualTo(expected);
    }

    @Test
    void readsRepeatedLines() {
        assertThat(Coding.accepted(List.of("br", "gzip"))).contains(Coding.GZIP);
        assertThat(Coding.accepted(List.of())).isEmpty();
    }

    @Test
    void everyFormHasItsOwnTag() {
        assertThat(Coding.GZIP.etag("\"ab\"")).isEqualTo("\"ab-gzip\"");
        assertThat(Coding.plainEtag("\"ab-gzip\"")).isEqualTo("\"ab\"");
        assertThat(Coding.plainEtag("W/\"ab-zstd\"")).isEqualTo("W/\"ab\"");
        assertThat(Coding.plainEtag("\"ab\"")).isEqualTo("\"ab\"");
        assertThat(Coding.plainEtag("*")).isEqualTo("*");
    }
}
