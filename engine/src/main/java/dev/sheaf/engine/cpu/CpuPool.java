package dev.sheaf.engine.cpu;

import dev.sheaf.engine.heap.HeapPlan;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
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

/// Threads for work that callers can trigger and that keeps a processor busy, such as rendering, diffs and hashing
/// passwords. They are platform threads, so that requests, on virtual ones, find a processor. Thread-safe.
///
/// Callers take turns. Each has its own queue of bounded length and at most half of the threads; all callers of an
/// organization ([CpuAccount]) share one turn. Work that needs much memory takes at most half of the threads, for all
/// callers together.
///
/// The tasks wait neither for the database nor for a bucket, which would block the threads for everybody; their
/// input is read earlier. Searches have their own pool with the same turns ([#ofSearches]).
public final class CpuPool implements AutoCloseable {
    public static final int LINE = 64; // limit of waiting tasks per caller
    static final int LINE_OF_STRANGER = 16; // the same without a credential
    static final int GROUP = 128; // limit per group
    static final int ALL = 512; // limit of the pool
    static final int STRANGERS = ALL / 2; // limit of all strangers together

    private static final long RETRY_SECONDS = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// A computation in steps.
    public interface Work<T> {
        /// @throws OverBudgetException if `budget` ends it
        T run(Budget budget);
    }

    private static final class Line {
        final ArrayDeque<PooledWork<?>> waiting = new ArrayDeque<>();
        int running;
    }

    private final int threads;
    private final int share;
    private final boolean waits;
    private final long patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    // in order of turns: the caller who had the last turn is at the end
    private final Map<Object, Line> lines = new LinkedHashMap<>();
    private final List<Thread> workers = new ArrayList<>();
    private int waiting;
    private int large; // tasks that need much memory and are running
    private int idle;
    private boolean closed;

    public CpuPool(int threads) {
        this(threads, false, PATIENCE);
    }

    private CpuPool(int threads, boolean waits, Duration patience) {
        this.patience = patience.toNanos();
        this.threads = threads;
        this.share = Math.max(1, threads / 2);
        this.waits = waits;
    }

    /// Returns a pool with one thread per processor, as far as the heap suffices; at least two.
    ///
    /// @param patience how long the task of a caller may wait before it begins; zero for no limit
    public static CpuPool ofThisMachine(Duration patience) {
        return new CpuPool(atLeastTwo(), false, patience);
    }

    /// Returns a pool of the same size for work that the database does.
    public static CpuPool ofSearches(Duration patience) {
        return new CpuPool(atLeastTwo(), true, patience);
    }

    private static int atLeastTwo() {
        int processors = Runtime.getRuntime().availableProcessors();
        return Math.max(2, Math.min(processors, HeapPlan.OF_THIS_PROCESS.heavyWork()));
    }

    /// Runs `work` on the account of a caller: tasks that it submits wait in that caller's queue.
    ///
    /// @param caller supplies the caller when a task is submitted; equal for the same caller
    public static <T> T onAccountOf(Supplier<?> caller, Supplier<T> work) {
        return ScopedValue.where(CpuAccount.CALLER, caller).call(work::get);
    }

    /// Computes and waits for the result. An interrupt ends the waiting and the work.
    ///
    /// @param limit processor time
    /// @throws ProblemException rate-limited if the caller has too many waiting tasks; service-unavailable if
    ///     the pool has too many, or if the work exceeds its limit
    public <T> T run(Duration limit, Work<T> work) {
        return isWorker() ? alone(limit, work) : submit(limit, work).await();
    }

    /// Does the same with work that needs tens of megabytes. At most half of the threads do such work at the same time,
    /// for all callers together.
    ///
    /// @throws ProblemException as [#run]
    public <T> T runLarge(Duration limit, Work<T> work) {
        return isWorker() ? alone(limit, work) : submit(limit, true, work).await();
    }

    /// Runs optional work: returns empty if the pool refuses it or it exceeds its limit.
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

    /// Returns whether the current thread belongs to a pool. Such a thread must not wait for another task.
    static boolean isWorker() {
        return Thread.currentThread() instanceof PoolThread;
    }

    /// Returns whether the current thread may wait for the database or a bucket.
    public static boolean mayWait() {
        return !(Thread.currentThread() instanceof PoolThread worker) || worker.waits;
    }

    /// Runs a part of a larger task within the turn of that task.
    private static <T> T alone(Duration limit, Work<T> work) {
        try {
            return work.run(Budget.of(limit));
        } catch (OverBudgetException e) {
            throw PooledWork.tooMuch();
        }
    }

    /// Adds a task to the queue of the caller.
    <T> PooledWork<T> submit(Duration limit, Work<T> work) {
        return submit(limit, false, work);
    }

    private <T> PooledWork<T> submit(Duration limit, boolean isLarge, Work<T> work) {
        Object current = CpuAccount.current(); // null: work of the server itself
        Object caller = current == null ? CpuPool.class : current;
        var task = new PooledWork<T>(this, caller, Budget.of(limit), patience, isLarge, work);
        lock.lock();
        try {
            if (closed) {
                throw new Problem.Unavailable("this node is shutting down; try again, another one may answer", 1)
                        .raise();
            }
            var line = lines.computeIfAbsent(caller, first -> new Line());
            int most = task.isStrange() ? LINE_OF_STRANGER : LINE;
            if (line.waiting.size() >= most || waiting >= GROUP && waitingOf(CpuAccount.group(caller)) >= GROUP) {
                forgetWhereEmpty(caller, line);
                throw new Problem.RateLimited(
                                Throttle.WORK,
                                "processors",
                                "too many of your requests are waiting for this node's processors; send fewer at a time,"
                                        + " and try again in 1 s",
                                RETRY_SECONDS)
                        .raise();
            }
            if (waiting >= ALL || task.isStrange() && waiting >= STRANGERS && strangers() >= STRANGERS) {
                forgetWhereEmpty(caller, line);
                throw PooledWork.busy(RETRY_SECONDS);
            }
            line.waiting.add(task);
            waiting++;
            if (waiting > idle && workers.size() < threads) {
                var worker = new PoolThread(this::serve, (waits ? "search-" : "cpu-") + workers.size(), waits);
                workers.add(worker);
                worker.start();
            }
            more.signal();
        } finally {
            lock.unlock();
        }
        return task;
    }

    /// Removes a task from its queue if it is still waiting.
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

    /// Returns the first task of the caller who has waited longest, among the callers who may use another
    /// thread for it; null if there is none.
    private @Nullable PooledWork<?> poll() {
        for (var entry : lines.entrySet()) {
            var line = entry.getValue();
            var first = line.waiting.peek();
            if (line.running < share && first != null && (large < share || !first.isLarge())) {
                var task = line.waiting.remove();
                waiting--;
                line.running++;
                large += task.isLarge() ? 1 : 0;
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
            large -= task.isLarge() ? 1 : 0;
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

    /// Moves the caller to the end, behind all other callers of its group.
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

    private long strangers() {
        return lines.values().stream()
                .flatMap(line -> line.waiting.stream())
                .filter(PooledWork::isStrange)
                .count();
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

    /// Ends the threads after their current tasks. Waiting tasks are refused.
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
