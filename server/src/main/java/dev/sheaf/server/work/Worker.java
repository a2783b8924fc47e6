package dev.sheaf.server.work;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Runs one kind of work: each piece on one node at a time, over all nodes of an installation. Thread-safe.
///
/// A piece is taken when it is announced ([#wake]) or due. Its node renews its hold every ten seconds; if the
/// node dies, another one takes over half a minute later. Nodes do not poll the database while there is nothing
/// to do. A node that learns of a piece which another node holds looks again when that hold would expire, and
/// so finds all pieces that are due. Owners take turns: if there is more work than may run at once, a piece
/// that has run for a second makes room, and the owner with the fewest running pieces comes next.
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
    private long beaten; // used only by the loop, like the next
    private boolean dueFirst = true;
    private String failure = ""; // of the last look, apart from outages; empty if it succeeded

    /// The work on one piece.
    public interface Job {
        /// Does all the work there is now, until the turn is over.
        ///
        /// @return when there will be more to do; null if only an announcement brings more
        @Nullable
        Instant run(Turn turn);
    }

    /// @param kind a word that no other worker uses
    /// @param atOnce pieces that this node works on at once
    public Worker(Database database, String kind, int atOnce, Job job) {
        this.database = database;
        this.kind = kind;
        this.job = job;
        this.turns = new Turns(kind, atOnce, database::now);
    }

    /// Starts to take work.
    public void begin() {
        look();
        Thread.ofVirtual().name("work-" + kind).start(this::run);
    }

    /// Announces that there is, or may be, something to do.
    ///
    /// @param owner the owner of the piece
    public void wake(String name, String owner) {
        turns.wake(name, owner);
    }

    /// Sets when a piece is due.
    ///
    /// @param first the time for a new piece
    /// @param latest the latest time for a known piece
    public void expect(String name, String owner, Instant first, Instant latest) {
        database.write(tx -> {
            WorkRows.expect(tx, kind, name, owner, first, latest);
            return name;
        });
    }

    /// Takes a piece for this node in the caller's transaction. Empty if a living node has it.
    public Optional<Turn> claim(Tx tx, String name, String owner) {
        return WorkRows.claim(tx, kind, name, owner, UUID.randomUUID())
                .map(claim -> new Turn(kind, claim.name(), claim.owner(), claim.holder()));
    }

    /// Starts the piece that [#claim] took, after its transaction has ended.
    public void start(Turn claimed) {
        turns.follow(claimed).ifPresent(turn -> start(turn, 0, true));
        look(); // and renew the hold from now on
    }

    /// Returns the pieces that living nodes have.
    public Set<String> held(Tx tx) {
        return Set.copyOf(WorkRows.held(tx, kind));
    }

    /// Returns how long the piece of each kind that waits longest has been due, in seconds; 0 if none is.
    public static Map<String, Double> lags(Database database) {
        var lags = new HashMap<String, Double>();
        database.read(WorkRows::oldest)
                .forEach((kind, due) -> lags.put(
                        kind, Math.max(0, Duration.between(due, database.now()).toMillis() / 1_000.0)));
        return lags;
    }

    /// Looks for due pieces soon. Used when this node may have missed announcements.
    public void look() {
        turns.lookAt(Instant.EPOCH);
    }

    /// Ends running pieces at their next step and starts no more.
    public void stop() {
        turns.stop();
    }

    /// Waits until all running pieces have ended and are released.
    ///
    /// @return false if that took longer
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
                failure = "";
            } catch (RuntimeException e) {
                boolean isKnown = ProblemException.isUnavailable(e);
                LOG.atLevel(isKnown || failure.equals(e.toString()) ? Level.DEBUG : Level.WARN)
                        .setCause(e)
                        .log("cannot look for work of the kind {}; will retry", kind);
                if (!isKnown) {
                    failure = e.toString();
                }
                look();
                pause();
            }
        }
    }

    /// Starts pieces that are due and pieces that wait. The two take turns at coming first; otherwise a piece
    /// that made room would be taken again before the waiting ones.
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
            } else { // another node has the piece: look again when its hold would expire
                turns.lookAt(database.now().plus(WorkRows.HELD));
            }
        } catch (RuntimeException e) {
            LOG.atLevel(ProblemException.isUnavailable(e) ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("{} {} failed and will be retried", kind, turn.name());
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
            LOG.atLevel(turn.isOver() || ProblemException.isUnavailable(e) ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("{} {} failed and will be retried at {}", kind, turn.name(), next);
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
