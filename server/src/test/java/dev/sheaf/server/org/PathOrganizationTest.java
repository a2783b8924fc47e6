package dev.sheaf.server.org;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Handle;
import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Keys;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathOrganizationTest {
    @TempDir
    private Path folder;

    private Database database;
    private Caller.Known caller;
    private PathOrganization path;

    @BeforeEach
    void open() {
        database = Databases.Kind.SQLITE.open(folder, new SettableClock());
        caller = new Keys(database, MasterSecret.generate()).bootstrap().caller();
        path = new PathOrganization(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private String handle() {
        return database.read(tx -> OrganizationRows.find(tx, caller.organizationId()))
                .orElseThrow()
                .handle();
    }

    @Test
    void isTheCallersOwnByIdAndByHandle() {
        assertThat(path.own(caller, handle())).isEqualTo(caller.organizationId());
        assertThat(path.own(caller, caller.organizationId().toString())).isEqualTo(caller.organizationId());
    }

    @Test
    void anothersIsAsMissingAsNone() {
        database.write(tx -> OrganizationRows.insertNew(tx, UUID.randomUUID(), new Handle("another"), "Another"));

        for (String name : new String[] {"another", "nobodys"}) {
            assertThat(refusal(Problem.NotFound.class, () -> path.own(caller, name))
                            .detail())
                    .contains(name);
        }
    }

    /// So no request of an organization costs a statement for its path but the first.
    @Test
    void looksItUpOnce() {
        String handle = handle();
        path.own(caller, handle);
        database.write(tx -> tx.change("UPDATE organization SET handle = 'unseen'"));

        assertThat(path.own(caller, handle)).isEqualTo(caller.organizationId());
    }
}
