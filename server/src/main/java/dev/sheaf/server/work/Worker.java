package dev.sheaf.server.work;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Has one kind of work done: each piece by one node at a time, over all nodes of an installation. Thread-safe.
///
/// A piece is taken when somebody says that there is something to do for it ([#wake]), or when it is due. Who
/// has taken it says so every ten seconds; what a node held that died, others take half a minute later. Nobody
/// asks the database while there is nothing to do: whoever is told of a piece that another node holds looks
/// again when that node would count as dead, and so comes to know of all that is due. Owners take turns: where
/// more is to be done than may be done at one time, what has run for a second makes room, and the owner with
/// the least begun comes next.
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final Duration BEAT = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final Database database;
    private final String kind;
    private final Job job;
    private final Turns turns;
    private final UUID nobody = UUID.randomUUID();
    private long beaten; // of the loop alone, as the next
    private boolean dueFirst = true;

    /// What a piece of work is.
    public interface Job {
        /// Does all that there is to do now, until the turn is over.
        ///
        /// @return when there will be more to do; null: not before somebody says so
        @Nullable
        Instant run(Turn turn);
    }

    /// @param kind a word that no other worker has
    /// @param atOnce how much of it this node does at one time
    public Worker(Database database, String kind, int atOnce, Job job) {
        this.database = database;
        this.kind = kind;
        this.job = job;
        this.turns = new Turns(kind, atOnce, database::now);
    }

    /// Takes from now on what there is to do.
    public void begin() {
        look();
        Thread.ofVirtual().name("work-" + kind).start(this::run);
    }

    /// Says that there is, or may be, something to do.
    ///
    /// @param owner whose it is
    public void wake(String name, String owner) {
        turns.wake(name, owner);
    }

    /// Says when a piece is due.
    ///
    /// @param first unless that was said before
    /// @param latest where it was
    public void expect(String name, String owner, Instant first, Instant latest) {
        database.write(tx -> {
            WorkRows.expect(tx, kind, name, owner, first, latest);
            return name;
        });
    }

    /// Takes a piece for this node in a transaction of the caller's; empty while a living node has it.
    public Optional<Turn> claim(Tx tx, String name, String owner) {
        return WorkRows.claim(tx, kind, name, owner, UUID.randomUUID())
                .map(claim -> new Turn(kind, claim.name(), claim.owner(), claim.holder()));
    }

    /// Begins what [#claim] took, once its transaction has ended.
    public void start(Turn claimed) {
        turns.follow(claimed).ifPresent(turn -> start(turn, 0, true));
        look(); // and say from now on that this node lives
    }

    /// The pieces that a living node has.
    public Set<String> held(Tx tx) {
        return Set.copyOf(WorkRows.held(tx, kind));
    }

    /// Looks soon for what is due: after a time in which this node may have missed what others said.
    public void look() {
        turns.lookAt(Instant.EPOCH);
    }

    /// Ends what runs at its next step, and begins nothing more.
    public void stop() {
        turns.stop();
    }

    /// Waits until what runs has ended, and what it held is given back.
    ///
    /// @return false where that took longer
    public boolean awaitEnd(Duration longest) {
        return turns.awaitEnd(longest);
    }

    // --- the loop ---

    private void run() {
        beaten = System.nanoTime();
        while (turns.await(untilBeat())) {
            try {
                beat();
                beginAll();
            } catch (RuntimeException e) {
                LOG.warn("work of the kind {} could not be looked for; it will be tried again", kind, e);
                look();
                pause();
            }
        }
    }

    /// Begins what is due and what waits; by turns one comes first and the other, or whoever made room would take it
    /// again before those who wait for it.
    private void beginAll() {
        boolean any;
        if (dueFirst) {
            any = takeDue() | beginWaiting();
        } else {
            any = beginWaiting() | takeDue();
        }
        dueFirst ^= any;
    }

    private boolean beginWaiting() {
        var begun = turns.beginWaiting();
        begun.forEach(turn -> start(turn, 0, false));
        return !begun.isEmpty();
    }

    private Duration untilBeat() {
        return turns.running().isEmpty() ? Duration.ofDays(1) : BEAT.minusNanos(System.nanoTime() - beaten);
    }

    private void pause() {
        try {
            Thread.sleep(FIRST_PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
    }

    private void beat() {
        if (System.nanoTime() - beaten < BEAT.toNanos()) {
            return;
        }
        beaten = System.nanoTime();
        var claimed = turns.running().stream().filter(Turn::isClaimed).toList();
        if (claimed.isEmpty()) {
            return;
        }
        var holders = claimed.stream().map(Turn::holder).toList();
        var held = database.write(tx -> WorkRows.renew(tx, kind, holders));
        claimed.stream().filter(turn -> !held.contains(turn.holder())).forEach(Turn::lose);
    }

    private boolean takeDue() {
        int room = turns.room();
        if (room == 0) {
            return false;
        }
        var own = new ArrayList<>(List.of(nobody));
        turns.running().forEach(turn -> own.add(turn.holder()));
        record Due(List<WorkRows.Claim> taken, @Nullable Instant next) {}
        var due = database.write(tx -> {
            var taken = WorkRows.claimDue(tx, kind, room, own);
            var others = new ArrayList<>(own);
            taken.forEach(claim -> others.add(claim.holder()));
            return new Due(taken, WorkRows.next(tx, kind, others).orElse(null));
        });
        for (var claim : due.taken()) {
            turns.begin(new Turn(kind, claim.name(), claim.owner(), claim.holder()))
                    .ifPresent(turn -> start(turn, claim.failures(), true));
        }
        if (due.next() != null) {
            turns.lookAt(due.next());
        }
        return !due.taken().isEmpty();
    }

    private void start(Turn turn, int failures, boolean claimed) {
        Thread.ofVirtual().name("work-" + kind + "-" + turn.name()).start(() -> take(turn, failures, claimed));
    }

    // --- one piece ---

    private void take(Turn turn, int failures, boolean claimed) {
        boolean held = claimed;
        try {
            int before = failures;
            if (!claimed) {
                var claim = database.write(tx -> WorkRows.claim(tx, kind, turn.name(), turn.owner(), turn.holder()));
                held = claim.isPresent();
                before = claim.map(WorkRows.Claim::failures).orElse(0);
            }
            if (held) {
                turn.claimed();
                work(turn, before);
            } else { // another node has it: this one looks again when that one would count as dead
                turns.lookAt(database.now().plus(WorkRows.HELD));
            }
        } catch (RuntimeException e) {
            LOG.warn("{} {} was cut short; it will be tried again", kind, turn.name(), e);
            turns.lookAt(database.now().plus(WorkRows.HELD));
        } finally {
            turns.end(turn, held).ifPresent(next -> start(next, 0, true));
        }
    }

    private void work(Turn turn, int before) {
        @Nullable Instant next;
        int failures = 0;
        try {
            next = job.run(turn);
        } catch (RuntimeException e) {
            failures = before + 1;
            next = database.now().plus(pauseAfter(failures));
            LOG.atLevel(turn.isOver() ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("{} {} was cut short; it will be tried again at {}", kind, turn.name(), next);
        }
        if (!turn.isLost()) {
            giveBack(new WorkRows.Claim(turn.name(), turn.owner(), turn.holder(), failures), next);
        }
    }

    private static Duration pauseAfter(int failures) {
        long seconds = FIRST_PAUSE.toSeconds() << Math.min(failures - 1, 10);
        return Duration.ofSeconds(Math.min(seconds, LONGEST_PAUSE.toSeconds()));
    }

    private void giveBack(WorkRows.Claim claim, @Nullable Instant next) {
        database.write(tx -> {
            if (next == null) {
                WorkRows.remove(tx, kind, claim.name(), claim.holder());
            } else {
                WorkRows.release(tx, kind, claim, next);
            }
            return claim;
        });
        if (next != null) {
            turns.lookAt(next);
        }
    }
}
