package dev.sheaf.server.bundle.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleFixture;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// What is said to have changed between two versions.
class VersionComparerTest extends BundleFixture {
    private static final CpuPool CPU = new CpuPool(1);
    private static final String LONG = "one\ntwo\nthree\nfour\nfive\n";

    @AfterAll
    static void stop() {
        CPU.close();
    }

    private VersionComparer.Result between(Map<String, String> before, Map<String, String> after) {
        var from = publish("1.0.0", before);
        var to = publish("2.0.0", after);
        return new VersionComparer(new AssetBytes(node.blobs()), CPU)
                .between(notes().repository(), from, to, WhiteSpace.COMPARE, bytes -> {});
    }

    @Test
    void saysWhatWasAddedRemovedAndChangedByPath() {
        var result = between(
                Map.of("a.md", "a\n", "b.md", "b\n", "same.md", "same\n"),
                Map.of("b.md", "B\n", "c.md", "c\n", "same.md", "same\n"));

        assertThat(result.changes())
                .extracting(VersionComparer.Change::kind, VersionComparer.Change::path)
                .containsExactly(
                        tuple(VersionComparer.Kind.REMOVED, "a.md"),
                        tuple(VersionComparer.Kind.CHANGED, "b.md"),
                        tuple(VersionComparer.Kind.ADDED, "c.md"));
        assertThat(result.unchanged()).isEqualTo(1);
        assertThat(result.changes().get(1).text()).contains("-b\n+B");
    }

    @Test
    void theSameContentUnderAnotherPathIsRenamed() {
        var result = between(Map.of("old.md", LONG), Map.of("new.md", LONG));

        assertThat(result.changes())
                .extracting(
                        VersionComparer.Change::kind, VersionComparer.Change::path, VersionComparer.Change::similarity)
                .containsExactly(tuple(VersionComparer.Kind.RENAMED, "new.md", 100));
    }

    @Test
    void nearlyTheSameContentUnderAnotherPathIsRenamedToo() {
        var result = between(Map.of("old.md", LONG), Map.of("new.md", LONG.replace("five", "six")));

        assertThat(result.changes())
                .extracting(VersionComparer.Change::kind, VersionComparer.Change::similarity)
                .containsExactly(tuple(VersionComparer.Kind.RENAMED, 80));
    }

    @Test
    void whatHasLittleInCommonIsAnotherAsset() {
        var result = between(Map.of("old.md", LONG), Map.of("new.md", "other\nlines\n"));

        assertThat(result.changes())
                .extracting(VersionComparer.Change::kind)
                .containsExactly(VersionComparer.Kind.ADDED, VersionComparer.Kind.REMOVED);
    }

    @Test
    void whatIsLargeIsSaidToBeChangedWithoutItsLines() {
        var result = between(Map.of("a.md", "x\n".repeat(200_000)), Map.of("a.md", "y\n".repeat(200_000)));

        assertThat(result.changes()).hasSize(1);
        assertThat(result.changes().getFirst().text()).isNull();
        assertThat(result.changes().getFirst().omitted()).isEqualTo("too-large");
    }

    @Test
    void aResultIsMadeOnce() {
        var from = publish("1.0.0", Map.of("a.md", "a\n"));
        var to = publish("2.0.0", Map.of("a.md", "b\n"));
        var diff = new VersionComparer(new AssetBytes(node.blobs()), CPU);
        var reads = new AtomicInteger();

        for (int i = 0; i < 3; i++) {
            diff.between(notes().repository(), from, to, WhiteSpace.COMPARE, bytes -> reads.incrementAndGet());
        }

        assertThat(reads).hasValue(1);
    }
}
