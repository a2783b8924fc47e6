package dev.sheaf.server.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.work.RowExpiry;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.audit.AuditChain;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.org.directory.NamespaceTransfers;
import dev.sheaf.server.org.key.KeyExpiry;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What goes when its time is over, and what stays; on both databases.
@ParameterizedClass
@EnumSource(Databases.Kind.class)
class RetentionTest {
    private static final Duration KEPT = Duration.ofDays(100);

    @Parameter
    private Databases.Kind engine;

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private Database database;

    @BeforeEach
    void open() {
        database = engine.open(folder, clock);
        execute("INSERT INTO organization (id, handle, name, created_at) VALUES ('o', 'o', 'O', 0)");
        execute("INSERT INTO namespace (name, display_name, organization_id, created_at) VALUES ('n', 'N', 'o', 0)");
        execute(
                "INSERT INTO repository (id, namespace, name, visibility, created_at) VALUES (1, 'n', 'r', 'public', 0)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void execute(String sql, @Nullable Object... values) {
        database.write(tx -> tx.handle().execute(sql, values));
    }

    private List<String> texts(String sql) {
        return database.read(tx -> tx.list(sql, String.class));
    }

    private long ago(int days) {
        return clock.instant().minus(Duration.ofDays(days)).toEpochMilli();
    }

    private Map<String, Long> run(RowExpiry.Step step) {
        var run = new TaskRun(false);
        new RowExpiry(database, "removed", KEPT, step).run(run);
        return run.report().counts();
    }

    @Test
    void movesOfTagsGoInBatches() {
        database.write(tx -> {
            for (int i = 0; i < 1203; i++) {
                tx.handle()
                        .execute(
                                "INSERT INTO tag_history (id, repository_id, name, moved_at) VALUES (?, 1, 'stable', ?)",
                                "m" + i,
                                ago(i < 1200 ? 101 : 99));
            }
            return 1;
        });

        assertThat(run(Tags::removeMoves)).containsEntry("removed", 1200L);
        assertThat(texts("SELECT id FROM tag_history ORDER BY seq")).containsExactly("m1200", "m1201", "m1202");
    }

    private String version() {
        execute("INSERT INTO bundle (id, repository_id, name, source_type, created_at) VALUES ('b', 1, 'B', 'x', 0)");
        var version = new UUID(7, 7).toString();
        execute("INSERT INTO manifest (id, repository_id, digest, media_type, size, state, leased_until, look_at,"
                + " created_at, checked_at) VALUES (1, 1, 'd', 'm', 1, 'ok', 0, 0, 0, 0)");
        execute(
                "INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,"
                        + " published_at) VALUES (?, 'b', '1.0.0', '1.0.0', 's', 1, 1, 'published', 1, 0)",
                version);
        return version;
    }

    @Test
    void oldDaysOfDownloadsBecomeOneSum() {
        var version = version();
        long today = PullCounts.day(clock.instant());
        for (long day : List.of(today - 300, today - 200, today - 101, today - 99, today)) {
            execute("INSERT INTO download_day (repository_id, day, downloads, own) VALUES (1, ?, 5, 1)", day);
            execute("INSERT INTO version_day (version_id, day, downloads, own) VALUES (?, ?, 4, 2)", version, day);
        }

        assertThat(run(PullCounts::addUp)).containsEntry("removed", 6L);

        for (var table : Map.of("download_day", "15 3", "version_day", "12 6").entrySet()) {
            assertThat(texts("SELECT downloads || ' ' || own FROM " + table.getKey() + " WHERE day = 0"))
                    .containsExactly(table.getValue());
            assertThat(texts("SELECT count(*) FROM " + table.getKey())).containsExactly("3");
        }
        assertThat(run(PullCounts::addUp)).containsEntry("removed", 0L);
        clock.advance(Duration.ofDays(2));
        assertThat(run(PullCounts::addUp)).containsEntry("removed", 2L);
        assertThat(texts("SELECT downloads FROM download_day WHERE day = 0")).containsExactly("20");
    }

    @Test
    void oldDaysOfUseGo() {
        var version = version();
        long today = PullCounts.day(clock.instant());
        for (long day : List.of(today - 101, today - 99)) {
            for (var client : List.of("git", "oci")) {
                execute(
                        "INSERT INTO version_client_day (version_id, day, client, downloads, own) VALUES (?, ?, ?, 4, 2)",
                        version,
                        day,
                        client);
            }
            execute(
                    "INSERT INTO version_credential_day (version_id, day, credential, organization_id, client)"
                            + " VALUES (?, ?, 'key:k', 'o', 'git')",
                    version,
                    day);
        }

        int first =
                database.write(tx -> PullCounts.removeUse(tx, clock.instant().minus(KEPT), 1));
        assertThat(first).isEqualTo(1);
        assertThat(run(PullCounts::removeUse)).containsEntry("removed", 2L);

        assertThat(texts("SELECT client FROM version_client_day ORDER BY client"))
                .containsExactly("git", "oci");
        assertThat(texts("SELECT credential FROM version_credential_day")).containsExactly("key:k");
        assertThat(run(PullCounts::removeUse)).containsEntry("removed", 0L);
    }

    @Test
    void endedKeysGoUnlessTheirSuccessorIsThere() {
        key("revoked-long-ago", null, ago(101), null);
        key("revoked-lately", null, ago(99), null);
        key("expired-long-ago", ago(101), null, null);
        key("expired-lately", ago(99), null, null);
        key("works", ago(-1), null, null);
        key("endless", null, null, null);
        key("rotated", ago(101), null, "rotated-again");
        key("rotated-again", ago(101), null, "endless");
        key("of-a-gone-line", ago(101), null, "nobody");

        assertThat(run(KeyExpiry::removeEnded)).containsEntry("removed", 3L);
        assertThat(texts("SELECT id FROM api_key ORDER BY id"))
                .containsExactlyInAnyOrder(
                        "endless", "expired-lately", "revoked-lately", "rotated", "rotated-again", "works");
    }

    private void key(String id, @Nullable Long expires, @Nullable Long revoked, @Nullable String replacedBy) {
        execute(
                "INSERT INTO api_key (id, organization_id, name, scopes, hint, secret_hash, pepper, created_at,"
                        + " expires_at, revoked_at, replaced_by) VALUES (?, 'o', ?, 'read', 'h', ?, 1, 0, ?, ?, ?)",
                id,
                id,
                id,
                expires,
                revoked,
                replacedBy);
    }

    @Test
    void endedInvitationsAndOffersGo() {
        for (var state : List.of("accepted", "revoked", "expired")) {
            invitation(101, state);
            invitation(99, state);
        }
        invitation(101, "pending");
        offer(101, "accepted");
        offer(101, "declined");
        offer(101, null);
        execute("UPDATE namespace_transfer SET expires_at = ? WHERE outcome IS NULL", ago(-1));

        assertThat(run(Invitations::removeEnded)).containsEntry("removed", 3L);
        assertThat(run(NamespaceTransfers::removeEnded)).containsEntry("removed", 2L);
        assertThat(texts("SELECT email FROM invitation"))
                .containsExactlyInAnyOrder("accepted99", "revoked99", "expired99", "pending101");
        assertThat(texts("SELECT created_by FROM namespace_transfer")).containsExactly("open");
    }

    private String id(int daysAgo) {
        return TimeOrderedIds.next(Instant.ofEpochMilli(ago(daysAgo))).toString();
    }

    private void invitation(int daysAgo, String state) {
        execute(
                "INSERT INTO invitation (id, organization_id, email, role, token_hash, created_at, created_by, expires_at,"
                        + " accepted_at, revoked_at) VALUES (?, 'o', ?, 'reader', ?, 0, 'x', ?, ?, ?)",
                id(daysAgo + 1),
                state + daysAgo,
                state + daysAgo,
                state.equals("pending") ? ago(-1) : ago(daysAgo),
                state.equals("accepted") ? ago(daysAgo) : null,
                state.equals("revoked") ? ago(daysAgo) : null);
    }

    private void offer(int daysAgo, @Nullable String outcome) {
        execute(
                "INSERT INTO namespace_transfer (id, namespace, from_organization, to_organization, created_at,"
                        + " created_by, expires_at, outcome, ended_at) VALUES (?, 'n', 'o', 'o', 0, ?, ?, ?, ?)",
                id(daysAgo + 1),
                outcome == null ? "open" : outcome,
                ago(daysAgo),
                outcome,
                outcome == null ? null : ago(daysAgo));
    }

    // --- the audit log ---

    private final AuditChainOf audit = new AuditChainOf();

    private final class AuditChainOf {
        private final MasterSecret master = MasterSecret.parse(MasterSecret.generate());
        private final List<String> broken = new ArrayList<>();

        AuditChain chain() {
            return new AuditChain(database, master);
        }

        void write(int entries) {
            database.write(tx -> {
                for (int i = 0; i < entries; i++) {
                    AuditRows.insert(tx, AuditEntry.ofSystem(null, "thing.make", "thing " + i));
                }
                return entries;
            });
            chain().seal();
        }

        List<String> broken(AuditChain.@Nullable End expected) {
            broken.clear();
            chain().verify(expected, entries -> {}, (what, why) -> broken.add(what + " " + why));
            return broken;
        }

        Map<String, Long> remove() {
            var run = new TaskRun(false);
            new AuditRemoval(
                            database,
                            chain(),
                            KEPT,
                            folder.resolve("archive"),
                            row -> (row.seq() + " " + row.hash() + "\n").getBytes(StandardCharsets.UTF_8))
                    .run(run);
            return run.report().counts();
        }
    }

    @Test
    void oldEntriesOfTheAuditLogMoveToFilesAndTheRestIsStillProven() throws IOException {
        audit.write(700); // on 31 January
        var seen = audit.chain().end();
        clock.advance(Duration.ofDays(40));
        audit.write(600);
        var seenLater = audit.chain().end();
        clock.advance(KEPT.minusDays(1));
        audit.write(5);

        assertThat(audit.remove()).containsEntry("auditEntriesArchived", 700L);

        assertThat(audit.broken(null)).isEmpty();
        assertThat(audit.broken(seen)).isEmpty();
        assertThat(audit.broken(seenLater)).isEmpty();
        assertThat(texts("SELECT count(*) FROM audit")).containsExactly("605");
        var lines = Files.readAllLines(folder.resolve("archive/audit-2030-01.jsonl"));
        assertThat(lines).hasSize(700).endsWith(seen.seq() + " " + seen.hash());
        clock.advance(Duration.ofDays(2));
        assertThat(audit.remove()).containsEntry("auditEntriesArchived", 600L);
        assertThat(Files.readAllLines(folder.resolve("archive/audit-2030-03.jsonl")))
                .hasSize(600);
        assertThat(audit.broken(seenLater)).isEmpty();
        audit.write(1);
        clock.advance(KEPT.plusDays(1));
        assertThat(audit.remove()).containsEntry("auditEntriesArchived", 6L);
        assertThat(audit.broken(null)).isEmpty();
        audit.write(1);
        assertThat(audit.broken(null)).isEmpty();
        assertThat(audit.chain().end().seq()).isEqualTo(1307);
    }

    @Test
    void onlyWhatWasRemovedMayGo() {
        audit.write(10);
        clock.advance(KEPT.plusDays(1));
        audit.write(10);
        audit.remove();

        assertThatThrownBy(() -> execute("DELETE FROM audit WHERE seq = 11")).hasMessageContaining("append-only");
        assertThatThrownBy(() -> execute("DELETE FROM audit")).hasMessageContaining("append-only");
        assertThat(audit.broken(null)).isEmpty();

        execute("UPDATE setting SET value = '15' || substr(value, 3) WHERE name = 'audit-start'");
        execute("DELETE FROM audit WHERE seq <= 15");
        assertThat(audit.broken(null))
                .first()
                .asString()
                .contains("the chain's start was not written by this registry");
        assertThatThrownBy(audit::remove).hasMessageContaining("tampered");
    }

    @Test
    void aDamagedEntryIsEvidenceAndStays() {
        audit.write(10);
        clock.advance(KEPT.plusDays(1));
        audit.write(10);
        execute("DROP TRIGGER audit_is_append_only" + (engine == Databases.Kind.POSTGRES ? " ON audit" : ""));
        execute("UPDATE audit SET subject = 'other' WHERE seq = 4");

        assertThatThrownBy(audit::remove).hasMessageContaining("no entry is removed from it");
        assertThat(texts("SELECT count(*) FROM audit")).containsExactly("20");
        assertThat(folder.resolve("archive")).doesNotExist();
    }
}
