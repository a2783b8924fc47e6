package dev.sheaf.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A page of the audit log is read by an index, also where the log is long and much of it belongs to one organization.
@Timeout(60)
class AuditPlansTest {
    private static final UUID ORGANIZATION = UUID.randomUUID();
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int ENTRIES = 20_000;

    private static AuditFilter filter(@Nullable UUID organization, @Nullable String actor) {
        return new AuditFilter(organization, actor, null, null, null, null, null, null, null);
    }

    private static void fill(Database database) {
        database.write(tx -> {
            tx.change(
                    "INSERT INTO organization (id, handle, name, created_at) VALUES (:id, 'acme', '', 0)",
                    "id",
                    ORGANIZATION);
            for (int i = 0; i < ENTRIES; i++) {
                var at = START.plusSeconds(i / 3);
                tx.later(
                        """
                        INSERT INTO audit (id, organization_id, actor, actor_name, action, subject, outcome, times, created_at)
                        VALUES (:id, :organization, :actor, '', 'tag.move', 'x', 'success', 1, :at)
                        """,
                        "id",
                        TimeOrderedIds.next(at),
                        "organization",
                        ORGANIZATION,
                        "actor",
                        "key:" + i % 100,
                        "at",
                        at);
            }
            return 1;
        });
    }

    @Test
    void areBoundedOnPostgres() {
        try (var database = Databases.Kind.POSTGRES.open(Path.of("unused"), InstantSource.system())) {
            fill(database);
            database.write(tx -> tx.handle().execute("ANALYZE audit"));

            assertThat(plan(database, filter(ORGANIZATION, null)))
                    .containsPattern("audit_by_(organization_)?span") // all are of one organization
                    .contains("Presorted Key: ((created_at / 600000))");
            assertThat(plan(database, filter(null, "key:1")))
                    .contains("audit_by_actor_span", "Presorted Key: ((created_at / 600000))");
            assertThat(plan(database, filter(null, null)))
                    .contains("audit_by_span", "Presorted Key: ((created_at / 600000))");
        }
    }

    private static String plan(Database database, AuditFilter filter) {
        String edge = TimeOrderedIds.edge(START.plusSeconds(5_000)).toString();
        return database.read(tx -> String.join(
                "\n",
                tx.list(
                        "EXPLAIN " + AuditRows.listing(filter, true),
                        String.class,
                        AuditRows.values(filter, edge, true, 50))));
    }

    @ParameterizedTest
    @EnumSource
    void pagesOfOneOrganizationFollowEachOtherInTheOrderOfIds(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            fill(database);
            var filter = filter(ORGANIZATION, null);
            var all = database.read(tx -> AuditRows.list(tx, filter(null, null), null, true, 100)).stream()
                    .map(AuditRow::id)
                    .toList();

            var first = database.read(tx -> AuditRows.list(tx, filter, null, true, 50));
            String edge = first.getLast().id().toString();
            var second = database.read(tx -> AuditRows.list(tx, filter, edge, true, 50));
            var back = database.read(tx -> AuditRows.list(tx, filter, edge, false, 49));

            assertThat(first).extracting(AuditRow::id).isEqualTo(all.subList(0, 50));
            assertThat(second).extracting(AuditRow::id).isEqualTo(all.subList(50, 100));
            assertThat(back)
                    .extracting(AuditRow::id)
                    .isEqualTo(all.subList(0, 49).reversed());
        }
    }
}
