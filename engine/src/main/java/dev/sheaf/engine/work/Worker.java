package dev.sheaf.engine.work;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.WorkRows.Expected;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/// Runs one kind of work: each piece on one node at a time, over all nodes of an installation. Thread-safe.
///
/// A piece is a row with the time when it is due. One loop claims due pieces, in a transaction that skips rows which
/// another node is claiming, and starts a thread for each. It renews the claims every ten seconds; if the node dies,
/// another one takes over half a minute later. A piece that fails is due again after a pause, each twice as long as
/// the last.
///
/// The loop looks at a piece that was announced ([#wake]), and when the next one is due or the claim of another node
/// would end; while there is nothing to do, it asks the database nothing. Owners take turns: if there is more work
/// than may run at once, a piece that has run for a second makes room.
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    private static final Duration FAIR = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final Database database;
    private final String kind;
    private final int atOnce;
    private final Job job;
    private final UUID nobody = UUID.randomUUID(); // since a list of holders must not be empty

    // guarded by this
    private final Map<String, WorkClaim> running = new HashMap<>();
    private final Map<String, Expected> announced = new TreeMap<>(); // pieces that are not in the table yet
    private @Nullable Instant look;
    private long renewed;
    private boolean claiming; // pieces that were claimed may not run yet
    private boolean stopped;

    /// The work on one piece.
    public interface Job {
        /// Does all the work there is now, until the claim is over.
        ///
        /// @return when there will be more to do; null if only an announcement brings more
        @Nullable
        Instant run(WorkClaim claim);
    }

    /// @param kind a word that no other worker uses
    /// @param atOnce pieces that this node works on at once
    public Worker(Database database, String kind, int atOnce, Job job) {
        this.database = database;
        this.kind = kind;
        this.atOnce = atOnce;
        this.job = job;
    }

    /// Starts to claim work.
    public void begin() {
        look();
        Thread.ofVirtual().name("work-" + kind).start(this::run);
    }

    /// Announces that there is, or may be, something to do.
    ///
    /// @param owner the owner of the piece
    public synchronized void wake(String name, String owner) {
        var claim = running.get(name);
        if (claim != null) {
            claim.announce();
        } else if (!stopped) {
            var now = database.now();
            announced.putIfAbsent(name, new Expected(name, owner, now, now));
            notifyAll();
        }
    }

    /// Tells the running pieces of an owner to read again what may have been changed.
    ///
    /// @param owner null for all owners
    public synchronized void changed(@Nullable String owner) {
        running.values().stream()
                .filter(claim -> owner == null || claim.owner().equals(owner))
                .forEach(WorkClaim::change);
    }

    /// Sets when a piece is due.
    ///
    /// @param first the time for a new piece
    /// @param latest the latest time for a known piece
    public void expect(String name, String owner, Instant first, Instant latest) {
        database.write(tx -> {
            WorkRows.expect(tx, kind, List.of(new Expected(name, owner, first, latest)));
            return name;
        });
    }

    /// Claims a piece for this node in the caller's transaction. Empty if a living node has it.
    public Optional<WorkClaim> claim(Tx tx, String name, String owner) {
        return WorkRows.claim(tx, new WorkClaim(kind, name, owner, 0));
    }

    /// Starts the piece that was claimed, after the transaction has ended.
    public synchronized void start(WorkClaim claim) {
        if (running.isEmpty()) {
            renewed = System.nanoTime();
        }
        var before = running.put(claim.name(), claim);
        if (before != null) { // it has released the piece and is about to end, or this node lost it for a while
            before.lose();
        }
        if (announced.remove(claim.name()) != null) {
            claim.announce();
        }
        if (stopped) {
            claim.stop();
        }
        notifyAll();
        Thread.ofVirtual().name("work-" + kind + "-" + claim.name()).start(() -> work(claim));
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
        lookAt(Instant.EPOCH);
    }

    private synchronized void lookAt(Instant at) {
        if (look == null || at.isBefore(look)) {
            look = at;
            notifyAll();
        }
    }

    /// Ends running pieces at their next step and starts no more.
    public synchronized void stop() {
        stopped = true;
        announced.clear();
        running.values().forEach(WorkClaim::stop);
        notifyAll();
    }

    /// Waits until all running pieces have ended and are released.
    ///
    /// @return false if that took longer
    public synchronized boolean awaitEnd(Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        while (!isEnded() && sleep(end - System.nanoTime())) {
            // until nothing runs
        }
        return isEnded();
    }

    private synchronized boolean isEnded() {
        return running.isEmpty() && !claiming;
    }

    private synchronized List<WorkClaim> running() {
        return List.copyOf(running.values());
    }

    /// Waits for news.
    ///
    /// @return false if there is no time left, or this thread is to end
    private synchronized boolean sleep(long nanos) {
        try {
            if (nanos > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(nanos, 1_000_000));
            }
            return nanos > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // --- the loop ---

    private void run() {
        String failure = ""; // of the last look
        while (await()) {
            try {
                renew();
                claimDue();
                failure = "";
            } catch (RuntimeException | Error e) { // without this thread nothing of this kind would be done
                log(e, failure.equals(e.toString())).log("cannot look for work of the kind {}; will retry", kind);
                failure = e.toString();
                look();
                LockSupport.parkNanos(FIRST_PAUSE.toNanos());
            }
        }
    }

    /// Waits until something can start or claims must be renewed.
    ///
    /// @return false once nothing may start any more
    private synchronized boolean await() {
        while (!stopped && sleep(left())) {
            // until there is something to do
        }
        return !stopped && !Thread.currentThread().isInterrupted();
    }

    private long left() {
        long untilRenewal = running.isEmpty() ? Long.MAX_VALUE : renewed + RENEWAL.toNanos() - System.nanoTime();
        long untilLook = announced.isEmpty() ? untilLook() : 0;
        if (running.size() >= atOnce && untilLook <= 0) {
            makeRoom(Math.max(1, announced.size()));
            untilLook = FAIR.toNanos();
        }
        return Math.min(untilRenewal, untilLook);
    }

    private long untilLook() {
        return look == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(Duration.between(database.now(), look));
    }

    private void makeRoom(int count) {
        running.values().stream()
                .filter(claim -> !claim.isOver() && claim.isOlder(FAIR))
                .limit(count)
                .forEach(WorkClaim::end);
    }

    private void renew() {
        var claims = running();
        if (claims.isEmpty() || System.nanoTime() - renewed < RENEWAL.toNanos()) {
            return;
        }
        renewed = System.nanoTime();
        var holders = claims.stream().map(WorkClaim::holder).toList();
        var held = Set.copyOf(database.write(tx -> WorkRows.renew(tx, kind, holders)));
        claims.stream().filter(claim -> !held.contains(claim.holder())).forEach(WorkClaim::lose);
    }

    /// What the loop writes and may claim.
    private record Plan(List<Expected> pieces, int room, List<UUID> own) {}

    private synchronized @Nullable Plan plan() {
        int room = atOnce - running.size();
        if (stopped || room <= 0 || announced.isEmpty() && untilLook() > 0) {
            return null;
        }
        var own = new ArrayList<>(List.of(nobody));
        running.values().forEach(claim -> own.add(claim.holder()));
        var pieces = List.copyOf(announced.values());
        announced.clear();
        look = null;
        claiming = true;
        return new Plan(pieces, room, own);
    }

    private void claimDue() {
        var plan = plan();
        if (plan == null) {
            return;
        }
        record Due(List<WorkClaim> claims, @Nullable Instant next) {}
        try {
            Due due = database.write(tx -> {
                WorkRows.expect(tx, kind, plan.pieces());
                var claims = WorkRows.claimDue(tx, kind, plan.room(), plan.own());
                var own = new ArrayList<>(plan.own());
                claims.forEach(claim -> own.add(claim.holder()));
                return new Due(claims, WorkRows.next(tx, kind, own).orElse(null));
            });
            due.claims().forEach(this::start);
            if (due.next() != null) {
                lookAt(due.next());
            }
        } catch (RuntimeException e) {
            plan.pieces().forEach(piece -> wake(piece.name(), piece.owner()));
            throw e;
        } finally {
            claimed();
        }
    }

    private synchronized void claimed() {
        claiming = false;
        notifyAll();
    }

    // --- one piece ---

    private void work(WorkClaim claim) {
        @Nullable Instant next;
        int failures = 0;
        try {
            next = job.run(claim);
        } catch (RuntimeException | Error e) { // else the piece would be held for good
            failures = claim.failures() + 1;
            next = database.now().plus(pauseAfter(failures));
            log(e, claim.isStopped() || claim.isLost())
                    .log("{} {} failed and will be retried at {}", kind, claim.name(), next);
        }
        try {
            if (!claim.isLost()) {
                giveBack(claim, failures, next);
            }
        } catch (RuntimeException e) {
            log(e, false).log("{} {} could not be released and will be retried", kind, claim.name());
            lookAt(database.now().plus(WorkRows.HELD));
        } finally {
            end(claim);
        }
    }

    private static LoggingEventBuilder log(Throwable e, boolean isExpected) {
        return LOG.atLevel(isExpected || ProblemException.isUnavailable(e) ? Level.DEBUG : Level.WARN)
                .setCause(e);
    }

    private static Duration pauseAfter(int failures) {
        long seconds = FIRST_PAUSE.toSeconds() << Math.min(failures - 1, 10);
        return Duration.ofSeconds(Math.min(seconds, LONGEST_PAUSE.toSeconds()));
    }

    private void giveBack(WorkClaim claim, int failures, @Nullable Instant next) {
        if (next == null) {
            database.write(tx -> {
                claim.done(tx);
                return claim;
            });
            return;
        }
        // after those for whom it made room
        var first = claim.isOver() && !claim.isStopped() ? database.now().plusMillis(1) : next;
        var due = next.isAfter(first) ? next : first;
        database.write(tx -> {
            WorkRows.release(tx, claim, failures, due);
            return claim;
        });
        lookAt(due);
    }

    /// Work that was announced meanwhile waits for another claim.
    private synchronized void end(WorkClaim claim) {
        boolean isLast = running.remove(claim.name(), claim);
        notifyAll();
        if (isLast && claim.wasAnnounced()) {
            wake(claim.name(), claim.owner());
        }
    }
}
