package dev.sheaf.server.cpu;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Fairness between virtual threads that the network wakes and those that platform threads wake or start, such as a
/// new connection, or a request whose rows have been read. A carrier runs the latter only when it has none of the
/// former (see [Carriers]), so those give way. Thread-safe.
public final class HandOver {
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final Queue<Thread> ASIDE = new ConcurrentLinkedQueue<>();

    private HandOver() {}

    /// A platform thread calls this after it has woken or started virtual threads. Costs the start of one more,
    /// which begins after them.
    public static void done() {
        if (!Thread.currentThread().isVirtual()) {
            Carriers.crossing();
            follow();
        }
    }

    /// Starts a virtual thread behind those that this platform thread has handed over; until it begins, others give
    /// way.
    static void follow() {
        WAITING.incrementAndGet();
        try {
            Thread.ofVirtual().name("hand-over").start(HandOver::begun);
        } catch (Throwable e) { // out of memory: nobody may be left aside
            begun();
            throw e;
        }
    }

    private static void begun() {
        WAITING.decrementAndGet();
        for (Thread aside = ASIDE.poll(); aside != null; aside = ASIDE.poll()) {
            LockSupport.unpark(aside);
        }
    }

    /// A virtual thread calls this before it reads from its connection. Returns at once unless others wait; then it
    /// returns when one of them has begun.
    public static void giveWay() {
        if (WAITING.get() == 0) {
            return;
        }
        var self = Thread.currentThread();
        if (!self.isVirtual()) {
            return;
        }
        ASIDE.add(self);
        if (WAITING.get() != 0 || !ASIDE.remove(self)) { // who counts down later finds it in the queue
            LockSupport.park();
        }
    }
}
