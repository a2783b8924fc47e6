package dev.sheaf.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Together;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Whoever tampers with the log is found out, whatever he does; on both databases.
@ParameterizedClass
@EnumSource(Databases.Kind.class)
class AuditChainTest {
    @Parameter
    private Databases.Kind engine;

    private final MasterSecret master = MasterSecret.parse(MasterSecret.generate());
    private Database database;
    private AuditChain chain;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = engine.open(folder, InstantSource.system());
        chain = new AuditChain(database, master);
        write(5);
        chain.seal();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void write(int entries) {
        for (int i = 0; i < entries; i++) {
            String subject = "thing " + i;
            database.write(tx -> {
                AuditRows.insert(tx, AuditEntry.ofSystem(null, "thing.make", subject));
                return subject;
            });
        }
    }

    private List<String> broken(AuditChain.@Nullable End expected) {
        var found = new ArrayList<String>();
        chain.verify(expected, entries -> {}, (what, why) -> found.add(what + " " + why));
        return found;
    }

    private List<String> broken() {
        return broken(null);
    }

    private int execute(String sql) {
        return database.write(tx -> tx.handle().execute(sql));
    }

    /// As somebody would who may change the schema.
    private void takeGuardOff() {
        for (String trigger : List.of("audit_is_kept", "audit_is_sealed_once", "audit_is_append_only")) {
            execute("DROP TRIGGER " + trigger + (database.dialect() == SqlDialect.POSTGRES ? " ON audit" : ""));
        }
    }

    @Test
    void anUntouchedLogIsWhole() {
        assertThat(broken()).isEmpty();
        assertThat(chain.end().seq()).isEqualTo(5);

        write(3);

        assertThat(broken()).as("what is not sealed yet is sealed first").isEmpty();
        assertThat(chain.end().seq()).isEqualTo(8);
    }

    @Test
    void theDatabaseRefusesToAlterOrToDelete() {
        for (String sql : List.of(
                "DELETE FROM audit",
                "DELETE FROM audit WHERE seq = 3",
                "UPDATE audit SET subject = 'x' WHERE seq = 3",
                "UPDATE audit SET created_at = 0",
                "UPDATE audit SET hash = 'x' WHERE seq = 3",
                "UPDATE audit SET seq = 9 WHERE seq = 3")) {
            assertThatThrownBy(() -> execute(sql)).as(sql).hasMessageContaining("append-only");
        }
        assertThat(broken()).isEmpty();
    }

    @Test
    void whatIsAlteredShows() {
        takeGuardOff();
        for (String change : List.of(
                "actor = 'key:x'",
                "actor_name = 'nobody'",
                "action = 'thing.see'",
                "subject = 'other'",
                "outcome = 'denied'",
                "detail = ''",
                "times = 2",
                "address = '127.0.0.1'",
                "request_id = 'r'",
                "created_at = created_at + 1")) {
            String column = change.substring(0, change.indexOf(' '));
            execute("CREATE TABLE kept AS SELECT * FROM audit WHERE seq = 3");
            execute("UPDATE audit SET " + change + " WHERE seq = 3");
            assertThat(broken()).as(change).singleElement().asString().startsWith("entry 3 (");
            execute("UPDATE audit SET " + column + " = (SELECT " + column + " FROM kept) WHERE seq = 3");
            execute("DROP TABLE kept");
        }
        assertThat(broken()).isEmpty();
    }

    @Test
    void whatIsTakenOutShows() {
        takeGuardOff();
        execute("DELETE FROM audit WHERE seq = 2");

        assertThat(broken()).anyMatch(text -> text.startsWith("entry 2 is missing"));
    }

    @Test
    void whatIsTakenOutShowsThoughTheRestMovesUp() {
        takeGuardOff();
        execute("DELETE FROM audit WHERE seq = 2");
        for (int seq = 3; seq <= 5; seq++) {
            execute("UPDATE audit SET seq = " + (seq - 1) + " WHERE seq = " + seq);
        }

        assertThat(broken()).isNotEmpty();
    }

    @Test
    void whatIsTakenOffTheEndShows() {
        takeGuardOff();
        execute("DELETE FROM audit WHERE seq >= 4");

        assertThat(broken())
                .singleElement()
                .asString()
                .startsWith("entry 4 is missing, and so are all entries up to 5");
    }

    @Test
    void anEndThatTheServiceHasNotWrittenShows() {
        takeGuardOff();
        var head = database.read(AuditRows::head).orElseThrow();
        execute("DELETE FROM audit WHERE seq = 5");
        String fourth = database.read(tx -> tx.handle()
                .createQuery("SELECT hash FROM audit WHERE seq = 4")
                .mapTo(String.class)
                .one());
        String proof = head.substring(head.lastIndexOf(':'));
        execute("UPDATE setting SET value = '4:" + fourth + proof + "' WHERE name = 'audit-head'");

        assertThat(broken()).singleElement().asString().contains("was not written by this registry");

        execute("DELETE FROM setting WHERE name = 'audit-head'");
        assertThat(broken()).singleElement().asString().contains("is not recorded");
    }

    @Test
    void anOlderStateOfTheWholeLogShowsToOneWhoSawANewerEnd() {
        var older = database.read(AuditRows::head).orElseThrow();
        write(1);
        chain.seal();
        var seen = chain.end();
        assertThat(broken(seen)).isEmpty();
        takeGuardOff();
        execute("DELETE FROM audit WHERE seq = 6");
        execute("UPDATE setting SET value = '" + older + "' WHERE name = 'audit-head'");

        assertThat(broken()).as("the log alone cannot tell").isEmpty();
        assertThat(broken(seen))
                .singleElement()
                .asString()
                .startsWith("entry 6 is missing or differs from the expected entry");
    }

    @Test
    void oneWithoutTheMasterSecretCannotMakeAChain() {
        takeGuardOff();
        execute("UPDATE audit SET seq = NULL, hash = NULL, subject = 'forged'");
        execute("DELETE FROM setting WHERE name = 'audit-head'");
        new AuditChain(database, MasterSecret.parse(MasterSecret.generate())).seal();

        assertThat(broken()).hasSize(6);
    }

    @Test
    void manyWhoSealAtTheSameTimeMakeOneChain() throws Exception {
        write(50);
        Together.run(6, i -> () -> {
            write(10);
            new AuditChain(database, master).seal();
            return i;
        });

        assertThat(broken()).isEmpty();
        assertThat(chain.end().seq()).isEqualTo(5 + 50 + 60);
    }
}
