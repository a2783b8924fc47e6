package dev.sheaf.engine.db;

import static dev.sheaf.engine.db.OrganizationTable.insert;
import static dev.sheaf.engine.db.OrganizationTable.name;
import static dev.sheaf.engine.db.OrganizationTable.rename;
import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.model.Problem;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(120)
class PostgresDatabaseTest {
    private final PostgresDatabase.Settings settings = Databases.postgres();
    private final PostgresDatabase database = new PostgresDatabase(settings, InstantSource.system());
    private final AtomicInteger attempts = new AtomicInteger();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void runsAgainAfterADeadlock() throws Exception {
        database.write(tx -> insert(tx, "a") + insert(tx, "b"));
        var bothHoldOne = new CyclicBarrier(2);
        try (var threads = Executors.newFixedThreadPool(2)) {
            var forth = threads.submit(() -> renameBoth("a", "b", "forth", bothHoldOne));
            var back = threads.submit(() -> renameBoth("b", "a", "back", bothHoldOne));

            forth.get();
            back.get();
        }

        assertThat(attempts.get()).as("two, and the victim's second").isGreaterThanOrEqualTo(3);
        assertThat(database.<String>read(tx -> name(tx, "a"))).isEqualTo(database.read(tx -> name(tx, "b")));
    }

    private String renameBoth(String first, String second, String name, CyclicBarrier bothHoldOne) {
        return database.write(tx -> {
            rename(tx, first, name);
            if (attempts.incrementAndGet() <= 2) {
                meet(bothHoldOne);
            }
            rename(tx, second, name);
            return name;
        });
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void runsAgainAfterASerializationFailure() throws Exception {
        database.write(tx -> insert(tx, "a"));
        try (var other = Executors.newSingleThreadExecutor()) {
            database.write(tx -> {
                tx.handle().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
                String before = name(tx, "a");
                if (attempts.incrementAndGet() == 1) {
                    await(other.submit(() -> database.write(inner -> {
                        rename(inner, "a", "theirs");
                        return 1;
                    })));
                }
                rename(tx, "a", before + " and ours");
                return 1;
            });
        }

        assertThat(attempts).hasValue(2);
        assertThat(database.<String>read(tx -> name(tx, "a"))).isEqualTo("theirs and ours");
    }

    private static void await(Future<?> future) {
        try {
            future.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatLooksWhetherANameIsFreeSeesWhoWasFaster() throws Exception {
        try (var other = Executors.newSingleThreadExecutor()) {
            String outcome = database.write(tx -> {
                boolean isFree = tx.handle()
                        .createQuery("SELECT id FROM organization WHERE id = 'a'")
                        .mapTo(String.class)
                        .list()
                        .isEmpty();
                if (attempts.incrementAndGet() == 1) {
                    await(other.submit(() -> database.write(inner -> insert(inner, "a"))));
                }
                if (isFree) {
                    insert(tx, "a");
                }
                return isFree ? "made" : "taken";
            });

            assertThat(outcome).isEqualTo("taken");
        }
    }

    @Test
    void givesUpWhenEveryAttemptFails() {
        var problem = refusal(
                Problem.Unavailable.class,
                () -> database.write(tx -> {
                    attempts.incrementAndGet();
                    return tx.handle().execute("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");
                }));

        assertThat(problem.detail()).contains("too busy");
        assertThat(attempts.get()).isGreaterThan(3);
    }

    @Test
    void runsNoMoreThanTwiceWhereTheWorkIsWrong() {
        assertThatThrownBy(() -> database.write(tx -> {
                    attempts.incrementAndGet();
                    return insert(tx, "a") + insert(tx, "a");
                }))
                .isInstanceOf(JdbiException.class);

        assertThat(attempts).hasValue(2);
    }

    @Test
    void tellsOtherNodesWhatChanged() throws Exception {
        var heard = new LinkedBlockingQueue<DataChange>();
        try (var other = new PostgresDatabase(settings, InstantSource.system())) {
            other.onChange(heard::add);
            var change = new DataChange(DataChange.Kind.REPOSITORY, "acme/java-kit");

            database.write(tx -> {
                tx.changed(change);
                return 1;
            });

            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(change);
        }
    }

    /// Such as a newer node's, while nodes are replaced one by one.
    @Test
    void goesOnHearingBehindWhatItDoesNotUnderstand() throws Exception {
        var heard = new LinkedBlockingQueue<DataChange>();
        try (var other = new PostgresDatabase(settings, InstantSource.system())) {
            other.onChange(change -> {
                if (change.id().equals("no id")) {
                    throw new IllegalArgumentException("no id");
                }
            });
            other.onChange(heard::add);
            for (String strange : new String[] {"OF_A_NEWER_NODE:1", "", "API_KEY"}) {
                hears(strange);
                assertThat(heard.poll(20, TimeUnit.SECONDS)).as(strange).isEqualTo(DataChange.EVERYTHING);
            }
            hears("API_KEY:no id");
            assertThat(heard.poll(20, TimeUnit.SECONDS))
                    .as("the other listener hears it")
                    .isEqualTo(new DataChange(DataChange.Kind.API_KEY, "no id"));
            assertThat(heard.poll(20, TimeUnit.SECONDS)).as("one failed").isEqualTo(DataChange.EVERYTHING);
            var change = new DataChange(DataChange.Kind.REPOSITORY, "acme/java-kit");
            database.write(tx -> {
                tx.changed(change);
                return 1;
            });

            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(change);
        }
    }

    private void hears(String text) {
        database.write(tx -> tx.change("INSERT INTO announcement (change) VALUES (:text)", "text", text));
    }

    @Test
    void readsWhatItMissedWhenItsConnectionsBrokeAndKeepsTheRest() throws Exception {
        var heard = new LinkedBlockingQueue<DataChange>();
        try (var other = new PostgresDatabase(settings, InstantSource.system())) {
            Eventually.within(Duration.ofSeconds(20), other::isCurrent);
            other.onChange(heard::add);
            var change = new DataChange(DataChange.Kind.REPOSITORY, "acme/java-kit");

            database.write(tx -> {
                tx.handle().execute(END_CONNECTIONS);
                tx.changed(change);
                return 1;
            });

            Eventually.within(Duration.ofSeconds(60), () -> heard.contains(change));
            Eventually.within(Duration.ofSeconds(20), other::isCurrent);
            assertThat(heard).doesNotContain(DataChange.EVERYTHING);
        }
    }

    private static final String END_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND application_name IN ('"
            + PostgresLines.LISTENER + "', '" + PostgresLines.POLLER + "')";

    @Test
    void whatBreaksBeforeItsCommitRunsAgain() {
        String name = database.write(tx -> {
            insert(tx, "a");
            if (attempts.incrementAndGet() == 1) {
                tx.handle().execute("SELECT pg_terminate_backend(pg_backend_pid())");
            }
            rename(tx, "a", "done");
            return name(tx, "a");
        });

        assertThat(name).isEqualTo("done");
        assertThat(attempts).hasValue(2);
    }

    /// It may have happened: to run it again would do it twice.
    @Test
    void aCommitWhoseAnswerIsLostDoesNotRunAgain() throws Exception {
        var server = URI.create(settings.jdbcUrl().substring("jdbc:".length()));
        try (var line = new Line(server, Long.MAX_VALUE);
                var remote = new PostgresDatabase(through(line, server), InstantSource.system())) {
            var problem = refusal(
                    Problem.Unavailable.class,
                    () -> remote.write(tx -> {
                        attempts.incrementAndGet();
                        insert(tx, "a");
                        tx.gather(Cut.class, () -> new Cut(line));
                        return 1;
                    }));

            assertThat(problem.detail()).contains("unknown whether the change was made");
            assertThat(attempts).hasValue(1);
        }
    }

    @Test
    void theSameWhereTheCommitIsSentWithWhatWasLeftForIt() throws Exception {
        var server = URI.create(settings.jdbcUrl().substring("jdbc:".length()));
        try (var line = new Line(server, Long.MAX_VALUE);
                var remote = new PostgresDatabase(through(line, server), InstantSource.system())) {
            var problem = refusal(
                    Problem.Unavailable.class,
                    () -> remote.write(tx -> {
                        attempts.incrementAndGet();
                        insert(tx, "a");
                        tx.later(RENAME);
                        tx.gather(Cut.class, () -> new Cut(line));
                        return 1;
                    }));

            assertThat(problem.detail()).contains("unknown whether the change was made");
            assertThat(attempts).hasValue(1);
        }
    }

    @Test
    void whatIsLeftForTheCommitIsCommittedByIt() {
        database.write(tx -> {
            insert(tx, "a");
            tx.later(RENAME);
            return 1;
        });

        assertThat(database.<String>read(tx -> name(tx, "a"))).isEqualTo("later");
    }

    @Test
    void nothingIsCommittedWhereWhatIsLeftForTheCommitFails() {
        assertThatThrownBy(() -> database.write(tx -> {
                    attempts.incrementAndGet();
                    insert(tx, "a");
                    tx.later("INSERT INTO organization (id, handle, name, created_at) VALUES ('a', 'b', '', 0)");
                    tx.later(RENAME);
                    return 1;
                }))
                .hasMessageContaining("duplicate key");

        assertThat(OrganizationTable.count(database)).isZero();
        assertThat(attempts)
                .as("once more, as where a name may have been taken")
                .hasValue(2);
    }

    private static final String RENAME = "UPDATE organization SET name = 'later' WHERE id = 'a'";

    private record Cut(Line line) implements Tx.Gathering {
        @Override
        public void settle(Tx tx) {
            try {
                line.cut();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Cut copy() {
            return this;
        }
    }

    private PostgresDatabase.Settings through(Line line, URI server) {
        return Databases.at(
                "jdbc:postgresql://127.0.0.1:" + line.port() + server.getPath(),
                settings.user(),
                settings.password(),
                2);
    }

    /// So that a node that is cut off holds no locks, and one that waits for them does not for ever.
    @Test
    void theServerEndsWhatTakesTooLong() {
        assertThat(database.<String>read(tx -> tx.handle()
                        .createQuery("SELECT concat_ws(' ', current_setting('statement_timeout'),"
                                + " current_setting('lock_timeout'),"
                                + " current_setting('idle_in_transaction_session_timeout'))")
                        .mapTo(String.class)
                        .one()))
                .isEqualTo("20s 10s 30s");
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(PostgresFailures.class);
        logger.addAppender(lines);
        try {
            var problem = refusal(
                    Problem.Unavailable.class,
                    () -> database.write(tx -> {
                        tx.handle().execute("SET LOCAL statement_timeout = '10ms'");
                        return tx.handle().execute("SELECT\n  pg_sleep(?)", 61);
                    }));
            assertThat(problem.detail()).contains("took too long");
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getFormattedMessage())
                            .contains("statement timeout")
                            .endsWith("SELECT pg_sleep(?)");
                    assertThat(line.getThrowableProxy()).isNull();
                });
    }

    @Test
    void isUnavailableWhileTheServerCannotBeReached() throws Exception {
        var server = URI.create(settings.jdbcUrl().substring("jdbc:".length()));
        try (var line = new Line(server, Long.MAX_VALUE);
                var remote = new PostgresDatabase(through(line, server), InstantSource.system())) {
            assertThat(remote.<Integer>read(tx -> 1)).isEqualTo(1);

            line.cut();

            assertThat(refusal(Problem.Unavailable.class, () -> remote.read(tx -> 1))
                            .detail())
                    .contains("cannot be reached");
            assertThat(refusal(Problem.Unavailable.class, () -> remote.write(tx -> 1))
                            .detail())
                    .contains("cannot be reached");
        }
    }
}
