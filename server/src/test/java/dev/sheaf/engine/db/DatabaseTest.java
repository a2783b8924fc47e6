package dev.sheaf.engine.db;

import static dev.sheaf.engine.db.OrganizationTable.count;
import static dev.sheaf.engine.db.OrganizationTable.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What both engines promise.
@Timeout(60)
class DatabaseTest {
    private static final DataChange CHANGE = new DataChange(DataChange.Kind.API_KEY, "k");

    @ParameterizedTest
    @EnumSource
    void undoesWorkThatFails(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            var defect = new IllegalArgumentException("after the insert");

            assertThatThrownBy(() -> database.write(tx -> {
                        insert(tx, "a");
                        throw defect;
                    }))
                    .isSameAs(defect);

            assertThat(count(database)).isZero();
        }
    }

    /// More snapshots at one time than there are readers or connections.
    @ParameterizedTest
    @EnumSource
    void snapshotsSeeOneStateAndKeepNobodyWaiting(Databases.Kind kind, @TempDir Path folder) throws Exception {
        try (var database = kind.open(folder, InstantSource.system());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            database.write(tx -> insert(tx, "a"));
            int many = 10;
            var begun = new CountDownLatch(many);
            var end = new CountDownLatch(1);
            var seen = new ArrayList<Future<List<Long>>>();
            for (int i = 0; i < many; i++) {
                seen.add(threads.submit(() -> database.snapshot(tx -> {
                    long before = count(tx);
                    begun.countDown();
                    join(end);
                    return List.of(before, count(tx));
                })));
            }
            begun.await();
            database.write(tx -> insert(tx, "b"));
            assertThat(count(database)).isEqualTo(2);
            end.countDown();

            for (var counts : seen) {
                assertThat(counts.get()).containsExactly(1L, 1L);
            }
            assertThatThrownBy(() -> database.snapshot(tx -> {
                        throw new IllegalArgumentException("a defect");
                    }))
                    .hasMessage("a defect");
        }
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void undoesWorkThatBreaksAConstraint(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            assertThatThrownBy(() -> database.write(tx -> {
                        insert(tx, "a");
                        return insert(tx, "a");
                    }))
                    .isInstanceOf(JdbiException.class);

            assertThat(count(database)).isZero();
            assertThat(database.<String>write(tx -> insert(tx, "a"))).isEqualTo("a");
        }
    }

    /// It goes to the log, where a secret, or what somebody published, has no place.
    @ParameterizedTest
    @EnumSource
    void aFailureDoesNotTellWhatAStatementWasGiven(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            String sql = "INSERT INTO setting (name, value) VALUES ('probe', :value)";

            assertThatThrownBy(() -> database.write(tx -> {
                        tx.change(sql, "value", "hush-1");
                        return tx.change(sql, "value", "hush-2");
                    }))
                    .satisfies(failure -> assertThat(stack(failure)).doesNotContain("hush"));
            assertThatThrownBy(() -> database.write(tx -> tx.each(
                            "INSERT INTO setting (name, value) VALUES ('probe', :each)", List.of("hush-3", "hush-4"))))
                    .satisfies(failure -> assertThat(stack(failure)).doesNotContain("hush"));
        }
    }

    private static String stack(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource
    void readsOneStateHoweverLongItTakes(Databases.Kind kind, @TempDir Path folder) throws Exception {
        try (var database = kind.open(folder, InstantSource.system());
                var other = Executors.newSingleThreadExecutor()) {
            List<Long> counts = database.read(tx -> {
                long before = count(tx);
                try {
                    other.submit(() -> database.write(inner -> insert(inner, "a")))
                            .get();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return List.of(before, count(tx));
            });

            assertThat(counts).containsExactly(0L, 0L);
            assertThat(count(database)).isEqualTo(1);
        }
    }

    /// Every such call would hold one of few threads or connections and wait for another of them.
    @ParameterizedTest
    @EnumSource
    void refusesATransactionInsideATransaction(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            assertThatThrownBy(() -> database.write(tx -> database.write(inner -> 1)))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> database.write(tx -> database.read(inner -> 1)))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> database.read(tx -> database.read(inner -> 1)))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> database.read(tx -> database.write(inner -> 1)))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(database.<String>write(tx -> insert(tx, "after"))).isEqualTo("after");
        }
    }

    @ParameterizedTest
    @EnumSource
    void announcesAChangeOnceItIsVisibleAndBeforeTheWriteReturns(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            var seen = new CopyOnWriteArrayList<Long>();
            database.onChange(change -> {
                if (change.equals(CHANGE)) {
                    seen.add(count(database));
                }
            });

            database.write(tx -> {
                tx.changed(CHANGE);
                return insert(tx, "a");
            });

            assertThat(seen).isNotEmpty().containsOnly(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void announcesNothingOfWorkThatFails(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            var seen = new CopyOnWriteArrayList<DataChange>();
            database.onChange(seen::add);

            assertThatThrownBy(() -> database.write(tx -> {
                        tx.changed(CHANGE);
                        throw new IllegalArgumentException("no");
                    }))
                    .isInstanceOf(IllegalArgumentException.class);

            assertThat(seen).doesNotContain(CHANGE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesAbsentResultsAsTheyAre(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            assertThat(database.<Optional<String>>read(tx -> Optional.empty())).isEmpty();
            assertThat(database.<@Nullable String>read(tx -> null)).isNull();
            assertThat(database.<@Nullable String>write(tx -> null)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasOneTimeInWholeMillisecondsThroughoutATransaction(Databases.Kind kind, @TempDir Path folder) {
        var clock = new SettableClock();
        clock.advance(Duration.ofNanos(1_999_999));
        try (var database = kind.open(folder, clock)) {
            database.write(tx -> {
                var first = tx.now();
                clock.advance(Duration.ofHours(1));
                assertThat(tx.now()).isEqualTo(first).isEqualTo(first.truncatedTo(ChronoUnit.MILLIS));
                return first;
            });

            assertThat(Duration.between(clock.instant(), database.now()).abs())
                    .as("the hour passed, off by what PostgreSQL's clock differs from this machine's")
                    .isLessThan(Duration.ofMinutes(30));
        }
    }
}
