package dev.sheaf.server.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.server.rate.RateLimits.Kind;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Only PostgreSQL has several nodes.
class NodeCountTest {
    private static final OperationsReport.Node OWN =
            new OperationsReport.Node("host", "1.0.0", Instant.parse("2026-01-01T00:00:00Z"), 7L, null, 1, 2);

    private final SettableClock clock = new SettableClock();

    @Test
    void eachNodeGrantsItsShareOnceItHasCountedTheOthers() {
        try (var database = database()) {
            var here = rates();
            var there = rates();
            var first = node(database, here);
            var second = node(database, there);

            first.run();
            second.run();

            assertThat(here.policy(Kind.READS).quota()).isEqualTo(60);
            assertThat(there.policy(Kind.READS).quota()).isEqualTo(30);
            clock.advance(NodeCount.EVERY);
            first.run();
            assertThat(here.policy(Kind.READS).quota()).isEqualTo(30);
        }
    }

    @Test
    void aNodeThatIsSilentForThreeRoundsIsNotCounted() {
        try (var database = database()) {
            var here = rates();
            var first = node(database, here);
            node(database, rates()).run();
            clock.advance(NodeCount.MISSED);
            first.run();
            assertThat(here.policy(Kind.READS).quota()).isEqualTo(30);

            clock.advance(Duration.ofMillis(1));
            first.run();

            assertThat(here.policy(Kind.READS).quota()).isEqualTo(60);
        }
    }

    @Test
    void rowsOfNodesThatAreGoneDoNotRemain() {
        try (var database = database()) {
            node(database, rates()).run();
            clock.advance(Duration.ofMinutes(11));

            node(database, rates()).run();

            long rows = database.read(tx -> tx.one("SELECT count(*) FROM node", Long.class));
            assertThat(rows).isEqualTo(1);
        }
    }

    @Test
    void whatRunningNodesSayOfThemselvesIsKnownToAll() {
        try (var database = database()) {
            node(database, rates()).run();
            clock.advance(NodeCount.MISSED.plusMillis(1));
            node(database, rates()).run();
            node(database, rates()).run();

            assertThat(NodeCount.running(database)).hasSize(2).containsOnly(OWN);
        }
    }

    private static NodeCount node(Database database, RateLimits rates) {
        return new NodeCount(database, rates, () -> OWN);
    }

    private Database database() {
        return new PostgresDatabase(Databases.postgres(), clock);
    }

    private static RateLimits rates() {
        return new RateLimits(new RateLimits.Quotas(10, 60, 30, 100, 50, 6));
    }
}
