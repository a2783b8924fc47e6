package dev.sheaf.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.hub.Hub;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How a catalog is split into parts.
class CatalogPagesTest {
    private static List<Hub.Extent> bundles(int count, long versions, long skills) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Hub.Extent("b" + i, versions, skills))
                .toList();
    }

    private static List<Integer> sizes(List<Hub.Extent> bundles) {
        return AiCatalogs.pages(bundles).stream().map(List::size).toList();
    }

    @Test
    void aPartHasAtMost500Entries() {
        assertThat(sizes(bundles(250, 1, 1))).containsExactly(250); // a plugin and a skill each
        assertThat(sizes(bundles(251, 1, 1))).containsExactly(250, 1);
        assertThat(sizes(bundles(60, 3, 2))).containsExactly(55, 5);
    }

    @Test
    void onlyTwentyVersionsCount() {
        assertThat(sizes(bundles(13, 1_000, 1))).containsExactly(12, 1);
    }

    @Test
    void aBundleWithMoreThanAPartHasOneToItself() {
        assertThat(sizes(bundles(3, 20, 1_000))).containsExactly(1, 1, 1);
    }

    @Test
    void nothingHasNoParts() {
        assertThat(sizes(List.of())).isEmpty();
    }
}
