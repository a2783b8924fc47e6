package dev.sheaf.server.db;

import dev.sheaf.server.db.beat.Beat;
import dev.sheaf.server.db.beat.Heartbeat;
import dev.sheaf.server.db.outage.Outage;
import dev.sheaf.server.db.outage.RootCause;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Announces the changes of transactions to other nodes, in batches after their commit. It also tells them what this
/// node read from the table of changes, sends beats if no other node does, and detects whether the database answers.
/// Everything runs on one thread and one connection, which takes the same network path as the connections of
/// transactions.
final class PostgresNotifier implements PostgresChanges.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);
    /// Time between two questions to the database, and random time that is added: nodes take turns with beats.
    private static final Duration TICK = Duration.ofMillis(600);

    private static final Duration MORE = Duration.ofMillis(300);
    /// Time between two messages of this node. A single change after a pause is sent immediately.
    private static final Duration PAUSE = Duration.ofMillis(25);

    private static final int MAX = 1_000;
    private static final int MOST_READ = 2_000; // of changes that it tells; otherwise each node reads them itself
    private static final Pending WAKE = new Pending(List.of(), true);
    private static final Pending LOOK = new Pending(List.of(), false);

    /// Receives the notice that the database stopped answering or is reachable again.
    interface Watcher {
        /// Called when the database does not answer and no new connection can be opened.
        void down();

        /// Returns whether transactions have been answered lately. Then the database is slow, not down.
        boolean isAnswered();

        /// Called after a new connection was opened, also after [#down]; earlier connections may be dead.
        void reconnected(boolean wasDown);
    }

    /// @param beat whether a beat is wanted
    private record Pending(List<Change> changes, boolean beat) {}

    /// @param isTaken false if other nodes sent theirs for so long that the changes were read in the meantime
    /// @param looked what is sent at once, so that it needs no turn
    private record Turn(boolean isTaken, NotifierLine.@Nullable Looked looked) {}

    private final boolean hasPooler;
    private final Heartbeat heartbeat;
    private final Watcher watcher;
    private final BlockingQueue<Pending> waiting = new LinkedBlockingQueue<>();
    private final BlockingQueue<NotifierLine.Looked> looks = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean down;
    private final NotifierLine line;
    private final Outage outage = new Outage();
    private boolean refused;
    private long sent = System.nanoTime() - PAUSE.toNanos();

    PostgresNotifier(PostgresDatabase.Settings settings, Heartbeat heartbeat, Watcher watcher) {
        this.hasPooler = settings.listenUrl() != null;
        this.line = new NotifierLine(settings, heartbeat);
        this.heartbeat = heartbeat;
        this.watcher = watcher;
        this.thread = Thread.ofPlatform().name("postgres-notifier").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Returns whether the database is known not to answer, so that callers need not wait for a timeout.
    boolean isDown() {
        return down;
    }

    /// Announces the changes of a committed transaction to other nodes. Does not wait.
    void tell(List<Change> changes) {
        if (!changes.isEmpty()) {
            waiting.add(new Pending(List.copyOf(changes), false));
        }
    }

    /// Sends a beat now.
    @Override
    public void listens() {
        waiting.add(WAKE);
    }

    /// Tells other nodes what this one read. Does not wait, also not for its turn, or they would read it themselves.
    /// An earlier look that was not sent yet is dropped: it would come too late, and each later one, too.
    @Override
    public void looked(Beat.Look look, List<Change> changes) {
        looks.clear();
        if (heartbeat.nodes() > 1 && changes.size() <= MOST_READ && look.fits()) {
            looks.add(new NotifierLine.Looked(look, changes));
            waiting.add(LOOK);
        }
    }

    private void run() {
        long due = System.nanoTime();
        try {
            while (!closed) {
                var next = waiting.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS);
                boolean asks = next == null || due - System.nanoTime() <= 0;
                var round = round(next);
                if (!round.isEmpty() || asks && !answersOthers()) {
                    quietly(round);
                    sent = System.nanoTime();
                    due = sent + TICK.toNanos() + ThreadLocalRandom.current().nextLong(MORE.toNanos());
                } else if (asks) {
                    due = System.nanoTime() + Math.clamp(heartbeat.untilLate(), PAUSE.toNanos(), TICK.toNanos());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        } finally {
            line.close();
        }
    }

    /// Returns whether the database has just answered a read of the changes, of this node or another, so that it need
    /// not be asked. A pooler has to be asked, since those reads bypass it.
    private boolean answersOthers() {
        return !down && !hasPooler && heartbeat.untilLate() > 0;
    }

    private NotifierLine.Round round(@Nullable Pending first) throws InterruptedException {
        boolean waits = first != null && !first.changes().isEmpty();
        var turn = waits ? awaitTurn() : new Turn(true, looks.poll());
        var changes = new LinkedHashSet<Change>();
        boolean beats = heartbeat.isDue();
        for (var next = first; next != null; next = changes.size() < MAX ? waiting.poll() : null) {
            beats |= next.beat();
            changes.addAll(next.changes());
        }
        return new NotifierLine.Round(turn.isTaken() ? changes : Set.of(), beats, turn.looked());
    }

    private void quietly(NotifierLine.Round round) {
        try {
            send(round);
        } catch (RuntimeException | Error e) { // without this thread the node would never be ready again
            LOG.error("a round of notifications failed", e);
        }
    }

    /// Waits until a message does not wake the nodes too soon after another one.
    private Turn awaitTurn() throws InterruptedException {
        long begin = System.nanoTime();
        var looked = looks.poll(closed ? 0 : sent + PAUSE.toNanos() - begin, TimeUnit.NANOSECONDS);
        long left = heartbeat.untilTurn();
        while (looked == null && left > 0 && !closed) {
            if (System.nanoTime() - begin > heartbeat.betweenReads().toNanos()) {
                return new Turn(false, null);
            }
            long pause = left + ThreadLocalRandom.current().nextLong(heartbeat.share());
            looked = looks.poll(Math.min(pause, heartbeat.betweenReads().toNanos()), TimeUnit.NANOSECONDS);
            left = heartbeat.untilTurn();
        }
        return new Turn(true, looked);
    }

    /// Sends changes. If that fails, other nodes still find them in the table.
    private void send(NotifierLine.Round round) {
        try {
            trySend(round);
        } catch (SQLException | RuntimeException e) {
            line.close();
            if (!closed) {
                again(round, e);
            }
        }
    }

    private void again(NotifierLine.Round round, Exception cause) {
        boolean wasDown = down;
        try {
            trySend(round);
            if (!wasDown) {
                LOG.info("the connection to the database broke and was made again: {}", RootCause.of(cause));
                watcher.reconnected(false);
            }
        } catch (SQLException | RuntimeException e) {
            line.close();
            if (PostgresFailures.isLimit(e)) {
                answered();
                noteRefusal(e);
            } else if (!down && !PostgresFailures.isRefusal(e) && watcher.isAnswered()) {
                LOG.warn("the database is slow: it answers transactions, but no beat in time: {}", RootCause.of(e));
            } else if (!down && !PostgresFailures.isFull(e)) {
                LOG.error(
                        "the database does not answer; requests that need it are refused until it does: {}",
                        RootCause.of(e));
                LOG.debug("where it did not answer", e);
                outage.begins();
                down = true;
                watcher.down();
            }
        }
    }

    /// Logs the first of several.
    private void noteRefusal(Exception why) {
        if (!refused) {
            LOG.error("PostgreSQL refuses notifications, so nodes cache nothing: {}", RootCause.of(why));
        }
        refused = true;
    }

    private void trySend(NotifierLine.Round round) throws SQLException {
        line.send(round);
        refused = false;
        answered();
    }

    private void answered() {
        if (down) {
            LOG.info("the database answers again, after {}", outage.lasted());
            watcher.reconnected(true);
            down = false;
        }
    }

    @Override
    public void close() {
        closed = true;
        waiting.add(WAKE);
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
