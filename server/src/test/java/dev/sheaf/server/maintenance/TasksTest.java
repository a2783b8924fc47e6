package dev.sheaf.server.maintenance;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Databases.Kind.class)
class TasksTest {
    private static final ChangeOrigin ORIGIN = new ChangeOrigin(
            new Caller.Known(
                    new Credential.Key(new UUID(0, 1), "ops", "shf_…1234", null),
                    new UUID(0, 2),
                    Scope.ADMIN,
                    CredentialRestrictions.NONE,
                    Grant.ALL,
                    null),
            "127.0.0.1",
            "request");

    @Parameter
    private Databases.Kind kind;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Phaser steps = new Phaser(1); // the test; and each run of the task
    private Database database;
    private Tasks tasks;

    @BeforeEach
    void start(@TempDir Path folder) {
        database = kind.open(folder, now::get);
        database.write(tx -> tx.handle()
                .createUpdate("INSERT INTO organization (id, handle, name, created_at) VALUES (:id, 'o', 'O', 0)")
                .bind("id", ORIGIN.organizationId())
                .execute());
        tasks = new Tasks(database, known(this::step));
    }

    @AfterEach
    void stop() {
        steps.forceTermination();
        database.close();
    }

    private static List<AdminTask> known(Task steps) {
        return List.of(
                new AdminTask(TaskKind.GC, List::of, steps),
                new AdminTask(TaskKind.FSCK, List::of, TasksTest::fail),
                new AdminTask(TaskKind.BACKUP, List::of, TasksTest::refuse));
    }

    /// Does one step each time that the test arrives, for as long as it is wanted.
    private void step(TaskRun run) {
        run.expect(100, "steps");
        try {
            while (!steps.isTerminated()) {
                steps.arriveAndAwaitAdvance();
                run.advance(1);
                run.count("stepsTaken", 1);
                run.find("step", "it was due");
                run.checkpoint();
                steps.arriveAndAwaitAdvance();
            }
        } finally {
            steps.arriveAndDeregister();
        }
    }

    private UUID start(Tasks where, boolean dryRun) {
        steps.register();
        return where.start(ORIGIN, new Tasks.Start("gc", dryRun)).id();
    }

    private static void fail(TaskRun run) {
        throw new IllegalStateException("secret detail");
    }

    private static void refuse(TaskRun run) {
        throw new Problem.StorageFull().raise();
    }

    private void oneStep() {
        steps.arriveAndAwaitAdvance();
        steps.arriveAndAwaitAdvance();
    }

    private TaskRecord ended(Tasks where, UUID id) {
        TaskRecord run;
        do {
            run = where.get(id);
        } while (run.state().equals("running"));
        return run;
    }

    @Test
    void showsHowFarARunIsAndStopsItBetweenSteps() {
        var id = start(tasks, true);
        assertThat(tasks.get(id).done()).isZero();
        oneStep();
        tasks.heartbeat();

        var running = tasks.get(id);
        assertThat(running.state()).isEqualTo("running");
        assertThat(running.done()).isEqualTo(1);
        assertThat(running.total()).isEqualTo(100);
        assertThat(running.unit()).isEqualTo("steps");
        assertThat(running.dryRun()).isTrue();
        tasks.cancel(ORIGIN, id);
        oneStep();

        var ended = ended(tasks, id);
        assertThat(ended.state()).isEqualTo("cancelled");
        assertThat(ended.counts()).isEqualTo(Map.of("stepsTaken", 2L));
        assertThat(ended.findings())
                .containsExactly(
                        new TaskRecord.Finding("step", "it was due"), new TaskRecord.Finding("step", "it was due"));
    }

    @Test
    void anotherNodeCanStopIt() {
        var elsewhere = new Tasks(database, known(this::step));
        var id = start(tasks, false);
        elsewhere.cancel(ORIGIN, id);
        tasks.heartbeat();
        oneStep();

        assertThat(ended(elsewhere, id).state()).isEqualTo("cancelled");
    }

    @Test
    void oneRunAtATimeInTheWholeInstallation() {
        var elsewhere = new Tasks(database, known(this::step));
        var id = start(tasks, false);

        assertThat(refusal(() -> elsewhere.start(ORIGIN, new Tasks.Start("gc", false)))
                        .detail())
                .contains("running already");

        tasks.cancel(ORIGIN, id);
        oneStep();
        ended(tasks, id);
        var next = start(elsewhere, false);
        elsewhere.cancel(ORIGIN, next);
        oneStep();
        ended(elsewhere, next);
    }

    @Test
    void aRunWhoseNodeDiedIsToldApartAndDoesNotBlockTheNext() {
        var lost = start(tasks, false);
        now.updateAndGet(time -> time.plus(Duration.ofSeconds(31)));

        assertThat(tasks.get(lost).state()).isEqualTo("failed");
        assertThat(tasks.get(lost).error()).contains("node stopped");
        var elsewhere = new Tasks(database, known(run -> {}));
        var next = elsewhere.start(ORIGIN, new Tasks.Start("gc", false)).id();
        assertThat(ended(elsewhere, next).state()).isEqualTo("succeeded");
        assertThat(tasks.list(null, 10).stream().map(TaskRecord::id).toList()).isEqualTo(List.of(next, lost));
    }

    @Test
    void aFailureIsToldWithoutItsInsides() {
        var broken =
                ended(tasks, tasks.start(ORIGIN, new Tasks.Start("fsck", false)).id());
        var full = ended(
                tasks, tasks.start(ORIGIN, new Tasks.Start("backup", false)).id());

        assertThat(broken.state()).isEqualTo("failed");
        assertThat(broken.error()).contains("internal error").doesNotContain("secret detail");
        assertThat(full.error()).contains("nearly full");
    }

    private List<TaskRecord> backups(Tasks where) {
        return where.list(null, 10).stream()
                .filter(run -> run.task().equals("backup"))
                .map(run -> ended(where, run.id()))
                .toList();
    }

    @Test
    void whatIsDueStartsOnceOnOneOfTheNodes() {
        var copies = List.of(new AdminTask(TaskKind.BACKUP, List::of, run -> run.count("objectsDamaged", 3)));
        var one = new Tasks(database, copies);
        var other = new Tasks(database, copies);

        for (var node : List.of(one, other, one)) {
            node.startDue(TaskKind.BACKUP, Duration.ofHours(24));
            backups(one);
        }
        assertThat(backups(one)).singleElement().satisfies(run -> {
            assertThat(run.state()).isEqualTo("succeeded");
            assertThat(run.startedBy()).isEqualTo("operator");
        });
        assertThat(one.faults()).isEqualTo(Map.of("backup", 3.0));

        now.updateAndGet(time -> time.plus(Duration.ofHours(24)));
        other.startDue(TaskKind.BACKUP, Duration.ofHours(24));
        assertThat(backups(one)).hasSize(2);
    }

    @Test
    void aFailureIsTriedAgainAfterAnHour() {
        tasks.startDue(TaskKind.BACKUP, Duration.ofHours(24));
        assertThat(backups(tasks)).extracting(TaskRecord::state).containsExactly("failed");
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(59)));
        tasks.startDue(TaskKind.BACKUP, Duration.ofHours(24));
        assertThat(backups(tasks)).hasSize(1);
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(1)));
        tasks.startDue(TaskKind.BACKUP, Duration.ofHours(24));
        assertThat(backups(tasks)).hasSize(2);
    }

    @Test
    void keepsThousandFindingsAndCountsTheRest() {
        var run = new TaskRun(false);
        for (int i = 0; i < 1_005; i++) {
            run.find("s" + i, "r");
        }

        assertThat(run.report().findings()).hasSize(1_000);
        assertThat(run.report().findingsOmitted()).isEqualTo(5);
    }
}
