package dev.sheaf.server.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.heap.HeapPlan;
import dev.sheaf.server.testing.JavaSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is divided is never more than there is.
class HeapShareTest {
    private static final long MIB = 1 << 20;
    private static final long IDLE = 24 * MIB;

    /// Caches without a share, because they do not grow with what strangers and tenants send.
    private static final Set<String> WITHOUT = Set.of(
            "InvalidatedCache.java", // its creator gives it a limit
            "ResultCache.java", // the same
            "DiskCache.java", // on disk
            "ManyRows.java", // the texts of the program's own statements
            "JoinedStatement.java", // the same
            "RevokedTokens.java", // the rows of a table, which may not be forgotten
            "WebhookSigner.java"); // 4,096 signatures of 100 bytes

    @ParameterizedTest
    @ValueSource(longs = {64, 128, 256, 512, 4_096, 65_536})
    void allSharesTogetherFitTheHeap(long mib) {
        var plan = new HeapPlan(mib * MIB);
        long caches = Stream.of(HeapShare.values())
                .mapToLong(share -> share.bytes(plan))
                .sum();

        assertThat(caches).isPositive().isLessThanOrEqualTo(plan.caches());
        assertThat(plan.caches() + plan.requests()).isLessThanOrEqualTo((plan.heap() - IDLE) / 2);
        assertThat(plan.caches() + plan.mostForRequests()).isLessThan(plan.heap() - IDLE);
    }

    @Test
    void aLargeHeapLeavesEachCacheItsOwnLimit() {
        var plan = new HeapPlan(64L << 30);

        assertThat(HeapShare.BLOB_CONTENT.bytes(plan)).isEqualTo(64 * MIB);
        assertThat(plan.heavyWork()).isGreaterThan(1_000);
    }

    @Test
    void aSmallerHeapThanTheSmallestIsNotEnough() {
        assertThat(new HeapPlan(HeapPlan.SMALLEST).isEnough()).isTrue();
        assertThat(new HeapPlan(HeapPlan.SMALLEST * 3 / 4).isEnough()).isFalse();
        assertThat(new HeapPlan(16 * MIB).requests()).isZero();
    }

    /// The collector keeps a large array in regions of its own.
    @Test
    void aLargeArrayTakesWholeRegions() {
        assertThat(HeapShare.ofArray(1_000)).isEqualTo(1_000);
        assertThat(HeapShare.ofArray(600 << 10)).isEqualTo(1 << 20);
        assertThat(HeapShare.ofArray((1 << 20) + 1)).isEqualTo(2 << 20);
        assertThat(HeapShare.ofText("x".repeat(100))).isEqualTo(200);
    }

    @Test
    void everyCacheHasAShare() throws IOException {
        List<String> others = JavaSources.files().stream()
                .filter(file -> !WITHOUT.contains(file.getFileName().toString()))
                .filter(file -> {
                    String source = read(file);
                    return (source.contains("Caffeine.newBuilder()")
                                    || source.contains("new InvalidatedCache<>")
                                    || source.contains("new ResultCache<>"))
                            && !source.contains("HeapShare.")
                            && !source.matches("(?s).*new InvalidatedCache<>\\(database, \"[a-z-]+\", 1\\).*");
                })
                .map(file -> file.getFileName().toString())
                .toList();

        assertThat(others).isEmpty();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
