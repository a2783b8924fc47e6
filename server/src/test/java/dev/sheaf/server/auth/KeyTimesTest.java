package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Keys;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Turns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long it takes to look at a key, with much room for noise, and able to fail: a look-up that is left out or
/// that reads more than its row shows.
@Tag("measure")
class KeyTimesTest {
    private static final String MASTER = MasterSecret.generate();
    private static final int SAMPLES = 800;

    @TempDir
    private Path folder;

    /// Puts keys into the database, as they are where `columns` have these values.
    private static List<Secret> insert(Database database, Keys keys, int count, String column) {
        String organization = database.read(tx -> tx.handle()
                .createQuery("SELECT id FROM organization")
                .mapTo(String.class)
                .one());
        var secrets = new ArrayList<Secret>();
        var hashes = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            secrets.add(KeyFormat.generate());
            hashes.add(keys.peppers.hash(secrets.getLast()).hash());
        }
        database.write(tx -> {
            var batch = tx.handle()
                    .prepareBatch("INSERT INTO api_key (id, organization_id, name, scopes, hint, secret_hash, pepper,"
                            + " created_at" + (column.isEmpty() ? "" : ", " + column) + ") VALUES (:id, '"
                            + organization
                            + "', :id, 'read', 'shf_', :hash, 1, 1" + (column.isEmpty() ? "" : ", 2") + ")");
            for (String hash : hashes) {
                batch.bind("id", UUID.randomUUID()).bind("hash", hash).add();
                if (batch.size() == 5_000) {
                    batch.execute();
                }
            }
            return batch.execute().length;
        });
        return secrets;
    }

    private static long nanos(Keys keys, Secret secret) {
        long begun = System.nanoTime();
        try {
            keys.check(secret);
        } catch (ProblemException e) {
            // as it should be, for most kinds
        }
        return System.nanoTime() - begun;
    }

    @Test
    void aKeyThatIsNoGoodTakesAsLongWhyeverThatIs() {
        try (var database = Databases.Kind.SQLITE.open(folder, new SettableClock())) {
            var keys = new Keys(database, MASTER);
            keys.bootstrap();
            var unknown = Stream.generate(KeyFormat::generate).limit(SAMPLES).toList();
            for (String column : List.of("expires_at", "revoked_at", "disabled_at")) {
                var known = insert(database, keys, SAMPLES, column);

                double ratio = Turns.nearest(2, () -> firstUses(database, known, database, unknown));

                System.out.printf("a key with %s takes %.2f times as long as an unknown one%n", column, ratio);
                assertThat(ratio).as(column).isBetween(0.5, 2.0);
            }
        }
    }

    @Test
    void aHundredThousandKeysCostNoMoreThanAThousand() throws IOException {
        var clock = new SettableClock();
        try (var small = Databases.Kind.SQLITE.open(Files.createDirectory(folder.resolve("small")), clock);
                var large = Databases.Kind.SQLITE.open(Files.createDirectory(folder.resolve("large")), clock)) {
            var few = new Keys(small, MASTER);
            var many = new Keys(large, MASTER);
            few.bootstrap();
            many.bootstrap();
            var fewSecrets = insert(small, few, 1_000, "");
            var all = insert(large, many, 100_000, "");
            var manySecrets = IntStream.range(0, SAMPLES)
                    .mapToObj(i -> all.get(i * (all.size() / SAMPLES)))
                    .toList();

            double first = Turns.nearest(2.5, () -> firstUses(large, manySecrets, small, fewSecrets));
            ratio(many, manySecrets, few, fewSecrets); // so that they are known
            double again = Turns.nearest(2.5, () -> ratio(many, manySecrets, few, fewSecrets));

            System.out.printf(
                    "among 100,000 keys, one takes %.2f times as long as among 1,000, and %.2f when it is known%n",
                    first, again);
            assertThat(first).isLessThan(2.5);
            assertThat(again).isLessThan(2.5);
        }
    }

    /// How many times as long the one keys take as the others, at their first use on a node.
    private static double firstUses(Database database, List<Secret> secrets, Database other, List<Secret> others) {
        return ratio(new Keys(database, MASTER), secrets, new Keys(other, MASTER), others);
    }

    /// Each key once; the first half warms up.
    private static double ratio(Keys keys, List<Secret> secrets, Keys other, List<Secret> others) {
        return Turns.ratio(
                SAMPLES / 2,
                SAMPLES / 2,
                round -> nanos(keys, secrets.get(round)),
                round -> nanos(other, others.get(round)));
    }
}
