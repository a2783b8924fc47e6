package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.job.NewJob;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which job is handed out to whom. What becomes of jobs then is in [JobModelTest].
@Timeout(60)
class ClaimsTest {
    private static final UUID ONE = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();

    private void on(Databases.Kind kind, Consumer<QueueFixture> test) {
        try (var database = kind.open(folder, clock);
                var cpu = new CpuPool(2)) {
            test.accept(node(database, QueueFixture.organization(database), cpu));
        }
    }

    private QueueFixture node(Database database, UUID organization, CpuPool cpu) {
        return new QueueFixture(database, organization, folder, cpu);
    }

    private static ClaimRequest any(@Nullable Integer max) {
        return new ClaimRequest(null, null, null, null, max);
    }

    @ParameterizedTest
    @EnumSource
    void queuesTakeTurnsHoweverMuchWaitsInOneOfThem(Databases.Kind kind) {
        on(kind, its -> {
            var full = its.queue(ONE, "{\"name\": \"Full\"}");
            var other = its.queue(ONE, "{\"name\": \"Other\"}");
            for (int i = 0; i < 20; i++) {
                its.enqueue(ONE, full, "{\"priority\": \"urgent\"}");
            }
            clock.advance(Duration.ofHours(3));
            its.enqueue(ONE, other, "{\"priority\": \"low\"}");
            its.enqueue(ONE, other, "{\"priority\": \"low\"}");

            var from = new ArrayList<UUID>();
            for (int i = 0; i < 6; i++) {
                from.add(its.claim(OTHER, null).orElseThrow().queueId());
            }

            assertThat(from.subList(0, 4)).containsExactlyInAnyOrder(full.id(), full.id(), other.id(), other.id());
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatWaitsLongEnoughComesBeforeWhatIsUrgent(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Order\"}");
            var old = its.enqueue(ONE, queue, "{\"priority\": \"low\"}");
            clock.advance(Duration.ofMinutes(30));
            var urgent = its.enqueue(ONE, queue, "{\"priority\": \"urgent\"}");
            var normal = its.enqueue(ONE, queue, "{}");
            clock.advance(Duration.ofMinutes(60));
            var later = its.enqueue(ONE, queue, "{\"priority\": \"urgent\"}");

            assertThat(all(its, queue)).containsExactly(urgent.id(), old.id(), normal.id(), later.id());
        });
    }

    private static List<UUID> all(QueueFixture its, QueueRow queue) {
        var ids = new ArrayList<UUID>();
        for (var job = its.claim(OTHER, queue); job.isPresent(); job = its.claim(OTHER, queue)) {
            ids.add(job.get().id());
        }
        return ids;
    }

    /// More of them than one look passes over, so that each is blocked and let go again.
    @ParameterizedTest
    @EnumSource
    void oneJobOfAKeyIsHeldAtATimeAndNoneIsForgotten(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Keys\"}");
            for (int i = 0; i < 12; i++) {
                its.enqueue(ONE, queue, "{\"concurrencyKey\": \"tenant\"}");
            }
            int done = 0;
            for (var job = its.claim(OTHER, queue); job.isPresent(); job = its.claim(OTHER, queue)) {
                assertThat(its.claim(ONE, queue)).isEmpty();
                if (done % 3 == 0) { // one that waits is cancelled meanwhile
                    cancelOneThatWaits(its);
                    done++;
                }
                its.leases.complete(its.said(OTHER, job.get().id()), null);
                done++;
            }
            assertThat(done).isEqualTo(12);
        });
    }

    @ParameterizedTest
    @EnumSource
    void manyJobsThatWaitForTheirKeyHideNoOther(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Hidden\"}");
            String jobs = String.join(",", Collections.nCopies(100, "{\"concurrencyKey\": \"tenant\"}"));
            for (int i = 0; i < 3; i++) {
                its.enqueue.enqueue(
                        its.origin(ONE),
                        queue.id().toString(),
                        QueueFixture.fields("{\"jobs\": [" + jobs + "]}").to(NewJob::parseAll),
                        true);
            }
            assertThat(its.claim(ONE, queue)).isPresent();

            var free = its.enqueue(ONE, queue, "{}");

            assertThat(its.claim(OTHER, queue).map(Job::id)).contains(free.id());
            assertThat(its.claim(OTHER, queue)).isEmpty();
        });
    }

    private static void cancelOneThatWaits(QueueFixture its) {
        var waiting = its.database.read(
                tx -> tx.list("SELECT id FROM job WHERE status = 'queued' ORDER BY place, id LIMIT 1", UUID.class));
        its.jobs.cancel(its.origin(ONE), waiting.getFirst());
    }

    @ParameterizedTest
    @EnumSource
    void noMoreAreHeldThanAQueueAllowsOverAllNodes(Databases.Kind kind) throws Exception {
        try (var database = kind.open(folder, clock);
                var cpu = new CpuPool(2)) {
            var first = node(database, QueueFixture.organization(database), cpu);
            var queue = first.queue(ONE, "{\"name\": \"Few\", \"maxRunning\": 3}");
            for (int i = 0; i < 40; i++) {
                first.enqueue(ONE, queue, "{}");
            }
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 8; i++) {
                var node = node(database, first.organization, cpu);
                threads.add(Thread.ofPlatform().start(() -> node.claim(UUID.randomUUID(), queue)));
            }
            for (var thread : threads) {
                assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
            }

            assertThat(first.queues.get(first.caller(ONE), "few").counts().claimed())
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClaimThatDidNotArriveIsTakenBackAndCountsNoTry(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Back\"}");
            its.enqueue(ONE, queue, "{}");
            var handed = its.take(OTHER, any(null)).getFirst();

            its.claims.takeBack(handed);

            var again = its.claim(OTHER, queue).orElseThrow();
            assertThat(again.attemptNumber()).isEqualTo(1);
            its.claims.takeBack(handed); // late, of the claim before
            assertThat(its.jobs
                            .get(its.caller(ONE), again.id(), true, bytes -> {})
                            .status())
                    .isEqualTo("claimed");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aKeyThatWasRotatedStillHoldsItsJobsAndAnotherDoesNot(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Rotated\"}");
            its.enqueue(ONE, queue, "{}");
            var job = its.claim(ONE, queue).orElseThrow();
            key(its, ONE, null);
            var second = UUID.randomUUID();
            key(its, second, ONE);
            key(its, OTHER, second);

            assertThat(its.leases.start(its.said(OTHER, job.id())).status()).isEqualTo("running");
            assertThat(refused(() -> its.leases.heartbeat(its.said(UUID.randomUUID(), job.id()))))
                    .isTrue();
        });
    }

    private static boolean refused(Runnable call) {
        try {
            call.run();
            return false;
        } catch (ProblemException e) {
            return true;
        }
    }

    private static void key(QueueFixture its, UUID id, @Nullable UUID from) {
        its.database.write(tx -> tx.change(
                """
                INSERT INTO api_key (id, organization_id, name, scopes, hint, secret_hash, pepper, created_at, created_by,
                                     rotated_from)
                VALUES (:id, :organization, :name, 'write', 'shf_', :hash, 0, :now, 'test', :from)
                """,
                "id",
                id,
                "organization",
                its.organization,
                "name",
                id.toString(),
                "hash",
                id.toString(),
                "from",
                from));
    }

    @ParameterizedTest
    @EnumSource
    void whoReleasesVeryManyIsGivenNoneOfTheQueueAndOthersAre(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Released\"}");
            for (int i = 0; i < 102; i++) {
                its.enqueue(ONE, queue, "{}");
            }
            int released = 0;
            for (var job = its.claim(OTHER, queue); job.isPresent(); job = its.claim(OTHER, queue)) {
                its.leases.release(its.said(OTHER, job.get().id()));
                released++;
            }

            assertThat(released).isEqualTo(100);
            assertThat(its.claim(ONE, queue)).isPresent();
            clock.advance(Duration.ofSeconds(31));
            assertThat(its.claim(OTHER, queue)).isPresent();
        });
    }

    @ParameterizedTest
    @EnumSource
    void oneWhoWaitsIsWokenByAJobAndTheNextOneByTheNext(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Waiting\"}");
            var request = new ClaimRequest(queue.id(), null, null, null, null);
            try (var first = its.claims.waiter(its.caller(ONE), request);
                    var second = its.claims.waiter(its.caller(OTHER), any(null));
                    var elsewhere = its.claims.waiter(
                            its.caller(OTHER), new ClaimRequest(UUID.randomUUID(), null, null, null, null))) {
                its.enqueue.enqueue(
                        its.origin(ONE),
                        queue.id().toString(),
                        QueueFixture.fields("{\"jobs\": [{}, {}]}").to(NewJob::parseAll),
                        true);

                first.await(TimeUnit.SECONDS.toNanos(20));
                assertThat(its.claims.waiting()).isEqualTo(2); // one was woken
                assertThat(its.take(ONE, request)).hasSize(1);
                second.await(TimeUnit.SECONDS.toNanos(20));
                assertThat(its.claims.waiting()).isEqualTo(1);
                assertThat(its.take(OTHER, any(null))).hasSize(1);
                assertThat(elsewhere.isOver()).isFalse();
            }
            assertThat(its.claims.waiting()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterOfAnotherOrganizationIsNotWokenByTheIdOfAHabitat(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Own\"}");
            var request = new ClaimRequest(null, queue.habitatId(), null, null, null);
            var waiters = new WaitingClaims();
            try (var stranger = waiters.join("stranger", UUID.randomUUID(), queue.habitatId(), null);
                    var strange = waiters.join("stranger", UUID.randomUUID(), null, queue.id());
                    var own = waiters.join("own", its.organization, queue.habitatId(), null)) {
                waiters.ring(JobSignal.of(queue));

                assertThat(waiters.count()).isEqualTo(2);
                own.await(TimeUnit.SECONDS.toNanos(20));
                own.look();
                assertThat(own.toldOf()).isEqualTo(queue.id());
                assertThat(stranger.isOver() || strange.isOver()).isFalse();
            }
            its.enqueue(ONE, queue, "{}");
            assertThat(its.claims.isForOthers(stranger(its), queue.id())).isTrue();
            assertThat(its.claims.isForOthers(its.caller(ONE), queue.id())).isFalse();
            assertThat(its.take(ONE, request)).hasSize(1);
        });
    }

    private static Caller.Known stranger(QueueFixture its) {
        var own = its.caller(OTHER);
        return new Caller.Known(
                own.credential(), UUID.randomUUID(), Scope.WRITE, CredentialRestrictions.NONE, Grant.ALL, null);
    }

    @ParameterizedTest
    @EnumSource
    void whoLeavesAfterBeingWokenWakesTheNext(Databases.Kind kind) {
        on(kind, its -> {
            var queue = its.queue(ONE, "{\"name\": \"Left\"}");
            var first = its.claims.waiter(its.caller(ONE), any(null));
            try (var second = its.claims.waiter(its.caller(OTHER), any(null))) {
                Job job = its.enqueue(ONE, queue, "{}");
                first.await(TimeUnit.SECONDS.toNanos(20));
                assertThat(its.claims.waiting()).isEqualTo(1);

                first.close();

                second.await(TimeUnit.SECONDS.toNanos(20));
                assertThat(its.claims.waiting()).isZero();
                assertThat(its.take(OTHER, any(null)).getFirst().job()).isEqualTo(job.id());
            }
        });
    }
}
