package dev.sheaf.server.cpu;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The threads for everything that keeps a processor busy for longer than a moment, and that somebody else may have
/// chosen: rendering, comparing, compressing, searching, hashing of passwords. They are platform threads, so requests,
/// which run on virtual ones, always find a processor. Thread-safe.
///
/// Callers take turns: each has a line of its own, of bounded length, and at most half of the threads; whoever comes
/// with a first piece of work waits for one piece of each other caller and not for all that these have asked for.
/// Those of one organization ([CpuAccount]) have one turn together, however many they are.
///
/// What is computed waits for nothing: neither for the database nor for a bucket, which may be slow, and would take the
/// threads from everybody's work. What is needed of them is read before. Searches, which keep the database busy,
/// have a pool of their own with the same turns ([#ofSearches]).
public final class CpuPool implements AutoCloseable {
    static final int LINE = 16; // that one caller may have waiting
    static final int GROUP = 128; // that those of an organization may
    static final int ALL = 512; // that all of them may

    private static final long RETRY_SECONDS = 1;
    private static final ScopedValue<Supplier<?>> CALLER = ScopedValue.newInstance();

    /// A computation in steps.
    public interface Work<T> {
        /// @throws OverBudgetException where `budget` ends it
        T run(Budget budget);
    }

    private static final class Line {
        final ArrayDeque<PooledWork<?>> waiting = new ArrayDeque<>();
        int running;
    }

    private static final class Worker extends Thread {
        final boolean waits;

        Worker(Runnable work, String name, boolean waits) {
            super(work, name);
            this.waits = waits;
            setDaemon(true);
        }
    }

    private final int threads;
    private final int share;
    private final boolean waits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Map<Object, Line> lines = new LinkedHashMap<>(); // whoever had a turn last stands last
    private final List<Thread> workers = new ArrayList<>();
    private int waiting;
    private int idle;
    private boolean closed;

    public CpuPool(int threads) {
        this(threads, false);
    }

    private CpuPool(int threads, boolean waits) {
        this.threads = threads;
        this.share = Math.max(1, threads / 2);
        this.waits = waits;
    }

    /// As many threads as there are processors, and two at least.
    public static CpuPool ofThisMachine() {
        return new CpuPool(atLeastTwo());
    }

    /// The same for work that the database does.
    public static CpuPool ofSearches() {
        return new CpuPool(atLeastTwo(), true);
    }

    private static int atLeastTwo() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    /// Does something on the account of a caller: what is computed meanwhile waits in that caller's line.
    ///
    /// @param caller tells who it is when it is asked; equal for the same one
    public static <T> T onAccountOf(Supplier<?> caller, Supplier<T> work) {
        return ScopedValue.where(CALLER, caller).call(work::get);
    }

    /// Computes, and waits for it. An interrupt ends the waiting and the work.
    ///
    /// @param limit time of a processor
    /// @throws ProblemException rate-limited where the caller, service-unavailable where everybody has too much
    /// waiting; service-unavailable where it takes more than it may
    public <T> T run(Duration limit, Work<T> work) {
        return isWorker() ? alone(limit, work) : submit(limit, work).await();
    }

    /// The same for what can be done without.
    public <T> Optional<T> offer(Duration limit, Work<T> work) {
        try {
            return Optional.of(run(limit, work));
        } catch (ProblemException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /// Whether this is one of the threads, which must not wait for another.
    static boolean isWorker() {
        return Thread.currentThread() instanceof Worker;
    }

    /// Whether this thread may wait for a database or a bucket.
    public static boolean mayWait() {
        return !(Thread.currentThread() instanceof Worker worker) || worker.waits;
    }

    /// Part of a larger piece of work, whose turn it has.
    private static <T> T alone(Duration limit, Work<T> work) {
        try {
            return work.run(Budget.of(limit));
        } catch (OverBudgetException e) {
            throw PooledWork.tooMuch();
        }
    }

    /// Puts work into the line of the caller.
    <T> PooledWork<T> submit(Duration limit, Work<T> work) {
        Carriers.crossing();
        Object caller = CALLER.isBound() ? CALLER.get().get() : CpuPool.class; // or the service itself
        var task = new PooledWork<T>(this, caller, Budget.of(limit), work);
        lock.lock();
        try {
            if (closed) {
                throw new Problem.Unavailable("this node is shutting down; try again, another one may answer", 1)
                        .raise();
            }
            var line = lines.computeIfAbsent(caller, first -> new Line());
            if (line.waiting.size() >= LINE || waiting >= GROUP && waitingOf(CpuAccount.group(caller)) >= GROUP) {
                forgetWhereEmpty(caller, line);
                throw new Problem.RateLimited(
                                "processors",
                                "too much work for this node's processors at once; try again in 1 s",
                                RETRY_SECONDS)
                        .raise();
            }
            if (waiting >= ALL) {
                forgetWhereEmpty(caller, line);
                throw new Problem.Unavailable("this node's processors have too much to do; try again", RETRY_SECONDS)
                        .raise();
            }
            line.waiting.add(task);
            waiting++;
            if (waiting > idle && workers.size() < threads) {
                var worker = new Worker(this::serve, (waits ? "search-" : "cpu-") + workers.size(), waits);
                workers.add(worker);
                worker.start();
            }
            more.signal();
        } finally {
            lock.unlock();
        }
        return task;
    }

    /// Takes work out of its line, if it still stands there.
    void withdraw(PooledWork<?> task) {
        lock.lock();
        try {
            var line = lines.get(task.caller());
            if (line != null && line.waiting.remove(task)) {
                waiting--;
                forgetWhereEmpty(task.caller(), line);
            }
        } finally {
            lock.unlock();
        }
    }

    private void serve() {
        for (PooledWork<?> task = next(); task != null; task = next()) {
            try {
                task.work();
            } finally {
                done(task);
            }
        }
    }

    private @Nullable PooledWork<?> next() {
        lock.lock();
        try {
            while (!closed) {
                var task = poll();
                if (task != null) {
                    return task;
                }
                idle++;
                more.awaitUninterruptibly();
                idle--;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// The first piece of the caller who has waited longest of those who may have a thread more.
    private @Nullable PooledWork<?> poll() {
        for (var entry : lines.entrySet()) {
            var line = entry.getValue();
            if (line.running < share && !line.waiting.isEmpty()) {
                var task = line.waiting.remove();
                waiting--;
                line.running++;
                toTheEnd(entry.getKey(), line);
                return task;
            }
        }
        return null;
    }

    private void done(PooledWork<?> task) {
        lock.lock();
        try {
            var line = lines.get(task.caller());
            if (line != null) {
                line.running--;
                toTheEnd(task.caller(), line);
                forgetWhereEmpty(task.caller(), line);
            }
            more.signal();
        } finally {
            lock.unlock();
        }
    }

    /// The caller, behind all others of its organization.
    private void toTheEnd(Object caller, Line line) {
        lines.remove(caller);
        var group = of(CpuAccount.group(caller));
        lines.keySet().removeAll(group.keySet());
        lines.putAll(group);
        lines.put(caller, line);
    }

    private int waitingOf(Object group) {
        return of(group).values().stream().mapToInt(line -> line.waiting.size()).sum();
    }

    private Map<Object, Line> of(Object group) {
        var found = new LinkedHashMap<>(lines);
        found.keySet().removeIf(caller -> !CpuAccount.group(caller).equals(group));
        return found;
    }

    private void forgetWhereEmpty(Object caller, Line line) {
        if (line.running == 0 && line.waiting.isEmpty()) {
            lines.remove(caller);
        }
    }

    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the threads, after what each does at the moment; what waits is refused.
    @Override
    public void close() {
        var left = new ArrayList<PooledWork<?>>();
        lock.lock();
        try {
            closed = true;
            lines.values().forEach(line -> left.addAll(line.waiting));
            lines.values().forEach(line -> line.waiting.clear());
            waiting = 0;
            more.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(PooledWork::abandon);
    }
}
