package dev.sheaf.server.auth.secret;

import static dev.sheaf.server.testing.Keys.secret;
import static dev.sheaf.server.testing.Refusals.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.org.key.NewKey;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Keys;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What keys are hashed with is replaced while they are in use.
class PepperRingTest {
    private static final String MASTER = MasterSecret.generate();

    private final SettableClock clock = new SettableClock();

    @TempDir
    private Path folder;

    private interface Scenario {
        void on(Database database);
    }

    private void on(Databases.Kind kind, Scenario scenario) {
        try (var database = kind.open(folder, clock)) {
            scenario.on(database);
        }
    }

    private void passNotice() {
        clock.advance(Duration.ofMinutes(1));
    }

    private static long pepperOf(Database database, ApiKey key) {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT pepper FROM api_key WHERE id = :id")
                .bind("id", key.id())
                .mapTo(Long.class)
                .one());
    }

    @ParameterizedTest
    @EnumSource(Databases.Kind.class)
    void keysMoveToTheNextPepperWhenTheyAreUsed(Databases.Kind kind) {
        on(kind, database -> {
            var keys = new Keys(database, MASTER);
            var admin = keys.bootstrap();
            var known = keys.create(admin); // and remembered by its hash under the first pepper
            keys.check(secret(known));

            keys.peppers.rotate();
            var before = new Keys(database, MASTER).store.create(admin, name("during the notice"));
            passNotice();
            var after = keys.store.create(admin, name("after"));
            var idle = keys.store.create(admin, name("idle"));
            for (int i = 0; i < 3; i++) {
                keys.check(secret(known));
                keys.check(secret(before));
                keys.lookUp.flush();
            }

            assertThat(pepperOf(database, known)).isEqualTo(2);
            assertThat(pepperOf(database, before)).isEqualTo(2);
            assertThat(pepperOf(database, after)).isEqualTo(2);
            assertThat(pepperOf(database, idle)).isEqualTo(2);
            keys.check(secret(known));
        });
    }

    private static NewKey name(String name) {
        return new NewKey(name, null, Set.of(Scope.READ), null, CredentialRestrictions.NONE);
    }

    @ParameterizedTest
    @EnumSource(Databases.Kind.class)
    void whatNobodyUsedIsUnknownOnceItsPepperIsRetired(Databases.Kind kind) {
        on(kind, database -> {
            var keys = new Keys(database, MASTER);
            var admin = keys.bootstrap();
            var used = keys.store.create(admin, name("used"));
            var idle = keys.store.create(admin, name("idle"));
            keys.check(secret(idle)); // remembered
            keys.peppers.rotate();
            assertThat(keys.peppers.retire())
                    .as("none before the next one is active")
                    .isZero();
            passNotice();
            keys.check(secret(used));
            keys.lookUp.flush();
            assertThat(keys.store.byPepper()).isEqualTo(Map.of(1L, 2L, 2L, 1L)); // the first key and the idle one

            assertThat(keys.peppers.retire()).isEqualTo(1);

            keys.check(secret(used));
            assertThat(fault(() -> keys.check(secret(idle)))).isEqualTo(CredentialFault.UNKNOWN);
        });
    }

    @ParameterizedTest
    @EnumSource(Databases.Kind.class)
    void keysOutliveAMasterSecretThatIsReplaced(Databases.Kind kind) {
        on(kind, database -> {
            var old = new Keys(database, MASTER);
            var admin = old.bootstrap();
            var used = old.store.create(admin, name("used"));
            var idle = old.store.create(admin, name("idle"));
            String next = MasterSecret.generate();

            var both = new Keys(database, next, List.of(MasterSecret.generate(), MASTER));
            assertThat(both.peppers.isNewMaster()).isTrue();
            assertThat(new Keys(database, next, List.of(MASTER)).peppers.isNewMaster())
                    .as("the second node")
                    .isFalse();
            both.check(secret(used));
            both.lookUp.flush();
            both.check(secret(used));

            var onlyNext = new Keys(database, next);
            onlyNext.check(secret(used));
            assertThat(fault(() -> onlyNext.check(secret(idle)))).isEqualTo(CredentialFault.UNKNOWN);
            both.check(secret(idle));
        });
    }

    @ParameterizedTest
    @EnumSource(Databases.Kind.class)
    void aMasterSecretThatNobodyKnowsMakesNoPepper(Databases.Kind kind) {
        on(kind, database -> {
            new Keys(database, MASTER).bootstrap();

            var stranger = new Keys(database, MasterSecret.generate(), List.of(MasterSecret.generate()));

            assertThat(stranger.peppers.isNewMaster()).isFalse();
            long peppers = database.read(tx -> tx.handle()
                    .createQuery("SELECT count(*) FROM pepper")
                    .mapTo(Long.class)
                    .one());
            assertThat(peppers).isEqualTo(1);
        });
    }
}
