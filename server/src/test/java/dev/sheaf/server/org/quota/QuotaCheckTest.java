package dev.sheaf.server.org.quota;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.QuotaResource;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.JavaSources;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Together;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@SuppressWarnings("NullAway.Init") // set before each test
@ParameterizedClass
@EnumSource(Databases.Kind.class)
class QuotaCheckTest {
    private static final Pattern COUNTED =
            Pattern.compile("(?:INSERT INTO|DELETE FROM) (?:link|manifest|bundle|version)\\b");
    private static final Pattern SAID = Pattern.compile("UsageChanges\\.add\\(");

    /// Not a proof, but whoever writes such a statement without a thought of usage is told here.
    @Test
    void whoeverInsertsOrDeletesWhatIsCountedSaysSo() throws IOException {
        var statements = new TreeMap<String, Long>();
        for (Path file : JavaSources.files()) {
            String source = Files.readString(file);
            long counted = COUNTED.matcher(source).results().count();
            if (counted > 0) {
                statements.put(String.valueOf(file.getFileName()), counted);
                assertThat(SAID.matcher(source).results().count())
                        .as("%s changes what is counted for an organization and does not call Usage.add", file)
                        .isGreaterThanOrEqualTo(counted);
            }
        }
        assertThat(statements)
                .containsKeys("BlobRows.java", "BundleRows.java", "ManifestRows.java", "VersionRows.java");
    }

    private static final UUID ACME = UUID.fromString("01890000-0000-7000-8000-000000000001");
    private static final UUID OTHER = UUID.fromString("01890000-0000-7000-8000-000000000002");
    private static final UsageAmounts TEN_BYTES = UsageAmounts.ofBytes(10);

    private final SettableClock clock = new SettableClock();
    private final ChangeOrigin origin = new ChangeOrigin(
            new Caller.Known(
                    new Credential.Key(UUID.randomUUID(), "test", "shf_…1234", null),
                    OTHER,
                    Scope.ADMIN,
                    CredentialRestrictions.NONE,
                    Grant.ALL,
                    null),
            "127.0.0.1",
            "request");

    @TempDir
    private Path folder;

    private Database database;
    private QuotaCheck quotas;

    @Parameter
    private Databases.Kind kind;

    @BeforeEach
    void open() {
        database = kind.open(folder, clock);
        quotas = new QuotaCheck(database, new Quota(1_000, 0, 3));
        execute("INSERT INTO organization (id, handle, name, created_at) VALUES ('" + ACME + "', 'acme', 'A', 0)");
        execute("INSERT INTO organization (id, handle, name, created_at) VALUES ('" + OTHER + "', 'other', 'O', 0)");
        for (int i = 1; i <= 4; i++) {
            var owner = i < 4 ? ACME : OTHER;
            execute("INSERT INTO namespace (name, display_name, organization_id, created_at) VALUES ('n" + i
                    + "', 'n', '" + owner + "', 0)");
            execute("INSERT INTO repository (id, namespace, name, visibility, created_at) VALUES (" + i + ", 'n" + i
                    + "', 'kit', 'private', 0)");
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private int execute(String sql) {
        return database.write(tx -> tx.handle().execute(sql));
    }

    private boolean add(long repository, UsageAmounts more) {
        return database.write(tx -> {
            quotas.enforce(tx);
            UsageChanges.add(tx, repository, more);
            return true;
        });
    }

    private long rows() {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT count(*) FROM usage_delta")
                .mapTo(Long.class)
                .one());
    }

    private UsageAmounts used(UUID organization) {
        return database.read(tx -> UsageRows.sum(tx, organization));
    }

    @Test
    void aTransactionWritesOneRowAndItIsTheOwners() {
        database.write(tx -> {
            UsageChanges.add(tx, 1, TEN_BYTES);
            UsageChanges.add(tx, 1, UsageAmounts.ONE_BUNDLE);
            UsageChanges.add(tx, 1, UsageAmounts.ofBytes(-3));
            return true;
        });
        database.write(tx -> {
            UsageChanges.add(tx, 1, TEN_BYTES);
            UsageChanges.add(tx, 1, UsageAmounts.ofBytes(-10));
            return true;
        });

        assertThat(rows()).isEqualTo(1);
        assertThat(used(ACME)).isEqualTo(new UsageAmounts(7, 1, 0));
        assertThat(used(OTHER)).isEqualTo(UsageAmounts.NONE);
    }

    @Test
    void aTransactionOverTheQuotaIsUndoneAndSaysWhy() {
        add(1, UsageAmounts.ofBytes(990));

        var problem = refusal(Problem.QuotaExceeded.class, () -> add(2, UsageAmounts.ofBytes(11)));
        var larger = refusal(Problem.LargerThanQuota.class, () -> add(2, UsageAmounts.ofBytes(1_001)));

        assertThat(problem).isEqualTo(new Problem.QuotaExceeded("acme", QuotaResource.BYTES, 1_000, 990, 11));
        assertThat(larger).isEqualTo(new Problem.LargerThanQuota("acme", QuotaResource.BYTES, 1_000, 1_001));
        assertThat(rows()).isEqualTo(1);
        assertThat(add(2, TEN_BYTES)).isTrue();
        assertThat(add(4, TEN_BYTES)).as("another organization's").isTrue();
        assertThat(add(1, UsageAmounts.ONE_BUNDLE)).as("what adds no bytes").isTrue();
        assertThat(add(1, UsageAmounts.ofBytes(-1))).isTrue();
    }

    @Test
    void ofManyAtOnceThoseThatFitSucceed() throws Exception {
        var succeeded = Together.run(12, i -> () -> {
            try {
                return add(1 + i % 3, new UsageAmounts(300, 0, 1));
            } catch (ProblemException e) {
                return false;
            }
        });

        assertThat(succeeded.stream().filter(Boolean::booleanValue)).hasSize(3);
        assertThat(used(ACME)).isEqualTo(new UsageAmounts(900, 0, 3));
    }

    /// Stops between the check and the commit until another transaction is there too, which the lock prevents.
    private record Meeting(CountDownLatch both) implements Tx.Gathering {
        @Override
        public void settle(Tx tx) {
            both.countDown();
            try {
                assertThat(both.await(400, TimeUnit.MILLISECONDS))
                        .as("both have been checked and neither has committed")
                        .isFalse();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Meeting copy() {
            return this;
        }
    }

    @Test
    void noTransactionIsCheckedBeforeTheOneAheadHasCommitted() throws Exception {
        var both = new CountDownLatch(2);

        var succeeded = Together.run(2, i -> () -> {
            try {
                return database.write(tx -> {
                    quotas.enforce(tx);
                    UsageChanges.add(tx, 1, UsageAmounts.ofBytes(600));
                    tx.gather(Meeting.class, () -> new Meeting(both));
                    return true;
                });
            } catch (ProblemException e) {
                return false;
            }
        });

        assertThat(succeeded).containsExactlyInAnyOrder(true, false);
        assertThat(used(ACME)).isEqualTo(UsageAmounts.ofBytes(600));
    }

    @Test
    void whatIsRememberedIsAtMostTwoSecondsOldAndNeverRefusesWrongly() {
        quotas.admit(ACME, UsageAmounts.ofBytes(1_000));
        database.write(
                tx -> { // by another node, say
                    UsageChanges.add(tx, 1, UsageAmounts.ofBytes(600));
                    return true;
                });
        assertThat(quotas.fits(ACME, UsageAmounts.ofBytes(500))).isTrue();

        clock.advance(Duration.ofMillis(2_100));

        assertThat(refusal(() -> quotas.admit(ACME, UsageAmounts.ofBytes(500))))
                .isInstanceOf(Problem.QuotaExceeded.class);
        database.write(tx -> {
            UsageChanges.add(tx, 1, UsageAmounts.ofBytes(-200));
            return true;
        });
        quotas.admit(ACME, UsageAmounts.ofBytes(500));
    }

    @Test
    void anOrganizationsOwnQuotaStandsBeforeTheDefault() {
        var set = quotas.set(origin, "acme", now -> {}, before -> new QuotaOverride(20L, 1L, 0L));

        assertThat(set)
                .isEqualTo(new OrganizationUsage(
                        new OrganizationUsage.Used(0, 0, 0),
                        new OrganizationUsage.Uploads(0, 0),
                        new OrganizationUsage.Quota(20L, 1L, null)));
        assertThat(quotas.fits(ACME, new UsageAmounts(20, 1, 1_000))).isTrue();
        assertThat(quotas.fits(ACME, new UsageAmounts(21, 1, 0))).isFalse();
        assertThat(quotas.fits(OTHER, new UsageAmounts(1_000, 9, 0))).isTrue();
        assertThat(quotas.set(origin, ACME.toString(), now -> {}, before -> new QuotaOverride(null, null, null))
                        .quota())
                .isEqualTo(new OrganizationUsage.Quota(1_000L, null, 3L));
        assertThat(refusal(() -> quotas.set(origin, "nobody", now -> {}, before -> before)))
                .isInstanceOf(Problem.NotFound.class);
    }

    @Test
    void foldingKeepsTheSumWhoeverWritesMeanwhile() throws Exception {
        quotas.set(origin, "acme", now -> {}, before -> new QuotaOverride(0L, 0L, 0L));
        execute("INSERT INTO usage_delta (organization_id, bytes, bundles, versions, created_at) "
                + "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) "
                + "SELECT '" + ACME + "', i, 1, 0, 0 FROM n");
        long before = used(ACME).bytes();

        Together.run(8, i -> () -> {
            for (int j = 0; j < 25; j++) {
                if (i < 2) {
                    quotas.fold();
                } else {
                    add(1 + i % 3, new UsageAmounts(1, 0, 2));
                }
            }
            return true;
        });
        quotas.fold();
        quotas.fold();

        assertThat(used(ACME)).isEqualTo(new UsageAmounts(before + 6 * 25, 1_200, 6 * 25 * 2));
        assertThat(rows()).isLessThan(110);
    }

    @Test
    void aRecordThatDoesNotAgreeIsFoundAndRepaired() {
        execute("INSERT INTO bundle (id, repository_id, name, source_type, created_at) VALUES ('b', 1, 'B', 'x', 0)");
        execute("INSERT INTO blob (id, digest, size, state, created_at, checked_at) VALUES (7, 'x', 500, 'ok', 0, 0)");
        execute("INSERT INTO link (repository_id, blob_id, leased_until, look_at) VALUES (1, 7, 0, 0), (2, 7, 0, 0)");
        add(4, UsageAmounts.NONE);
        var expected = new QuotaCheck.Recount(ACME, "acme", new UsageAmounts(1_000, 1, 0), UsageAmounts.NONE);

        assertThat(quotas.recount(false)).containsExactly(expected);
        assertThat(quotas.recount(true)).containsExactly(expected);

        assertThat(quotas.recount(true)).isEmpty();
        assertThat(used(ACME)).isEqualTo(new UsageAmounts(1_000, 1, 0));
        assertThat(refusal(() -> quotas.admit(ACME, UsageAmounts.ofBytes(1))))
                .isInstanceOf(Problem.QuotaExceeded.class);
    }

    @Test
    void ofNodesThatRepairTogetherOneDoes() throws Exception {
        execute("INSERT INTO blob (id, digest, size, state, created_at, checked_at) VALUES (7, 'x', 500, 'ok', 0, 0)");
        execute("INSERT INTO link (repository_id, blob_id, leased_until, look_at) VALUES (1, 7, 0, 0)");

        List<List<QuotaCheck.Recount>> found = Together.run(4, i -> () -> quotas.recount(true));

        assertThat(found.stream().flatMap(List::stream)).isNotEmpty();
        assertThat(used(ACME)).isEqualTo(UsageAmounts.ofBytes(500));
    }
}
