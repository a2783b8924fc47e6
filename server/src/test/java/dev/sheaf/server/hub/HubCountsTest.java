package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counts of many bundles are expensive, so they serve everybody for a while.
class HubCountsTest {
    private static final Hub.Filter ALL = new Hub.Filter(null, null, null, null);

    private static Reply push(TestApp app, String name) {
        return app.post("/v1/namespaces/acme/bundles/" + name + ":push", app.admin(), """
                {"visibility": "public", "version": "1.0.0",
                 "manifest": [{"logicalPath": "a.md", "contentText": "a"}]}""");
    }

    @Test
    void manyBundlesAreNotCountedForEachRequest(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var searches = CpuPool.ofSearches(Duration.ofSeconds(30))) {
            var few = new Hub(app.database(), searches);
            var many = new Hub(app.database(), searches, 1);
            for (String name : new String[] {"one", "two"}) {
                assertThat(push(app, name).status()).isEqualTo(201);
            }
            assertThat(few.counts(ALL).total()).isEqualTo(2);
            assertThat(many.counts(ALL).total()).isEqualTo(2);

            assertThat(push(app, "three").status()).isEqualTo(201);

            assertThat(few.counts(ALL).total()).isEqualTo(3);
            assertThat(many.counts(ALL).total()).isEqualTo(2);
            assertThat(many.counts(new Hub.Filter(SearchQuery.parse("three"), null, null, null))
                            .total())
                    .isEqualTo(1);
        }
    }
}
