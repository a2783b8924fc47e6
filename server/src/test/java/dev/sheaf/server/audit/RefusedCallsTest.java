package dev.sheaf.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusedCallsTest {
    private static final Caller.Known CALLER = new Caller.Known(
            new Credential.Session(new UUID(0, 1), new UUID(0, 2), "ada@example.org"),
            SessionRecord.NO_ORGANIZATION,
            Scope.READ,
            CredentialRestrictions.NONE,
            Grant.ALL,
            null);
    private static final Caller.Known OTHER = new Caller.Known(
            new Credential.Session(new UUID(0, 3), new UUID(0, 4), "bob@example.org"),
            SessionRecord.NO_ORGANIZATION,
            Scope.READ,
            CredentialRestrictions.NONE,
            Grant.ALL,
            null);

    /// Nobody can shorten the log again.
    @Test
    void manyDifferentOnesOfOneActorAreFewEntries(@TempDir Path folder) {
        var clock = new SettableClock();
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), clock)) {
            var refusals = new RefusedCalls(database);
            for (int flush = 0; flush < 3; flush++) {
                for (int i = 0; i < 1_000; i++) {
                    refusals.note(CALLER, "GET /" + flush + "/" + i, "no", "2001:db8::" + i % 10, "request");
                }
                refusals.note(OTHER, "GET /" + flush, "no", "127.0.0.1", "request");
                refusals.flush();
            }

            assertThat(subjects(database, CALLER))
                    .hasSize(RefusedCalls.MOST_OF_ONE + 3)
                    .contains("many different calls 1000");
            assertThat(subjects(database, OTHER)).containsExactlyInAnyOrder("GET /2 1", "GET /1 1", "GET /0 1");
            clock.advance(Duration.ofMinutes(1));
            refusals.note(CALLER, "GET /again", "no", "127.0.0.1", "request");
            refusals.flush();
            assertThat(subjects(database, CALLER)).contains("GET /again 1");
        }
    }

    private static List<String> subjects(Database database, Caller.Known caller) {
        var of = new AuditFilter(null, caller.actor(), null, null, null, null, null, null, null);
        return new AuditLog(database)
                .page(of, null, 1_000).stream()
                        .map(row -> row.entry().subject() + " " + row.entry().times())
                        .toList();
    }

    @Test
    void thoseThatAreAlikeAreOneEntryWithTheFirstRequest(@TempDir Path folder) {
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), InstantSource.system())) {
            var refusals = new RefusedCalls(database);
            refusals.note(CALLER, "GET /a", "no", "127.0.0.1", "first");
            refusals.note(CALLER, "GET /a", "no", "127.0.0.1", "second");
            refusals.note(CALLER, "GET /b", "no", "127.0.0.1", "third");
            refusals.note(CALLER, "GET /a", "no", "127.0.0.2", "fourth");
            refusals.flush();
            refusals.flush();

            var all = new AuditFilter(null, null, null, null, null, null, null, null, null);
            assertThat(new AuditLog(database).page(all, null, 10))
                    .extracting(
                            row -> row.entry().subject(),
                            row -> row.entry().times(),
                            row -> row.entry().requestId())
                    .containsExactlyInAnyOrder(
                            tuple("GET /a", 2L, "first"), tuple("GET /b", 1L, "third"), tuple("GET /a", 1L, "fourth"));
        }
    }
}
