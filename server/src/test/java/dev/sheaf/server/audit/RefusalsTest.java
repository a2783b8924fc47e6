package dev.sheaf.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sheaf.model.Scope;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalsTest {
    private static final Caller.Known CALLER = new Caller.Known(
            new Credential.Session(new UUID(0, 1), new UUID(0, 2), "ada@example.org"),
            SessionRecord.NO_ORGANIZATION,
            Scope.READ,
            Restrictions.NONE,
            Grant.ALL,
            null);

    @Test
    void thoseThatAreAlikeAreOneEntryWithTheFirstRequest(@TempDir Path folder) {
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), InstantSource.system())) {
            var refusals = new Refusals(database);
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
