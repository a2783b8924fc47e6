package dev.sheaf.server.http.entity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentCodingTest {
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
        assertThat(ContentCoding.accepted(List.of(header))
                        .map(ContentCoding::name)
                        .orElse("none"))
                .isEqualTo(expected);
    }

    @Test
    void readsRepeatedLines() {
        assertThat(ContentCoding.accepted(List.of("br", "gzip"))).contains(ContentCoding.GZIP);
        assertThat(ContentCoding.accepted(List.of())).isEmpty();
    }

    @Test
    void everyFormHasItsOwnTag() {
        assertThat(ContentCoding.GZIP.etag("\"ab\"")).isEqualTo("\"ab-gzip\"");
        assertThat(ContentCoding.plainEtag("\"ab-gzip\"")).isEqualTo("\"ab\"");
        assertThat(ContentCoding.plainEtag("W/\"ab-zstd\"")).isEqualTo("W/\"ab\"");
        assertThat(ContentCoding.plainEtag("\"ab\"")).isEqualTo("\"ab\"");
        assertThat(ContentCoding.plainEtag("*")).isEqualTo("*");
    }

    private static final RequestComputing COMPUTING = new RequestComputing(new CpuPool(2));

    @Test
    void whatDoesNotShrinkIsNotCoded() {
        var random = new byte[200 << 10];
        new Random(1).nextBytes(random);
        var tiny = new byte[2_000];
        new Random(1).nextBytes(tiny);

        for (var coding : ContentCoding.values()) {
            assertThat(COMPUTING.coded(coding, random, "\"r\"")).isEmpty();
            assertThat(COMPUTING.coded(coding, tiny, "\"t\"")).isEmpty();
        }
    }

    @Test
    void theSameBytesAreCodedOnce() {
        byte[] text = "a line of text\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);

        var first = COMPUTING.coded(ContentCoding.GZIP, text, "\"x\"");

        assertThat(first.orElseThrow().length).isLessThan(text.length / 20);
        assertThat(COMPUTING.coded(ContentCoding.GZIP, text.clone(), "\"x\"").orElseThrow())
                .isSameAs(first.orElseThrow());
    }

    /// With all it may have waiting, a caller gets the plain form and no refusal.
    @Test
    void whereTheCallerHasEnoughWaitingTheAnswerIsPlain() throws Exception {
        byte[] text = "another line\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);
        var begun = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        try (var pool = new CpuPool(2)) {
            Runnable work = () -> pool.offer(Duration.ofMinutes(1), budget -> {
                begun.countDown();
                return await(held);
            });
            Runnable busy = () -> CpuPool.onAccountOf(() -> "busy", () -> {
                work.run();
                return "";
            });
            Thread.ofVirtual().start(busy);
            begun.await(); // so that none of the line below leaves it
            var waiting = IntStream.range(0, 100)
                    .mapToObj(i -> Thread.ofVirtual().start(busy))
                    .toList();
            while (waiting.stream().filter(Thread::isAlive).count() > CpuPool.LINE) {
                Thread.onSpinWait();
            }

            var answer = CpuPool.onAccountOf(
                    () -> "busy", () -> new RequestComputing(pool).coded(ContentCoding.GZIP, text, "\"y\""));
            var others = CpuPool.onAccountOf(
                    () -> "other", () -> new RequestComputing(pool).coded(ContentCoding.GZIP, text, "\"y\""));

            assertThat(answer).isEmpty();
            assertThat(others).isPresent();
            held.countDown();
        }
    }

    private static boolean await(CountDownLatch held) {
        try {
            held.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
