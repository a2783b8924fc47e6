package dev.sheaf.server.faults;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Begins operations at a fixed rate, however long those before take.
final class Pace implements AutoCloseable {
    private final List<MixedLoad.Operation> operations;
    private final long pause;
    private final AtomicInteger running = new AtomicInteger();
    private final Thread thread;
    private volatile boolean isOver;

    /// @param rate requests a second
    Pace(List<MixedLoad.Operation> operations, double rate) {
        this.operations = operations;
        this.pause = (long) (1e9 * MixedLoad.REQUESTS / rate);
        this.thread = Thread.ofPlatform().name("pace").start(this::run);
    }

    private void run() {
        long due = System.nanoTime();
        while (!isOver) {
            due += pause;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            long begin = due;
            var work = any();
            running.incrementAndGet();
            Thread.ofVirtual().start(() -> {
                try {
                    work.run(begin);
                } finally {
                    running.decrementAndGet();
                }
            });
        }
    }

    private MixedLoad.Work any() {
        int sum = operations.stream().mapToInt(MixedLoad.Operation::weight).sum();
        int dice = ThreadLocalRandom.current().nextInt(sum);
        for (var operation : operations) {
            dice -= operation.weight();
            if (dice < 0) {
                return operation.work();
            }
        }
        throw new IllegalStateException();
    }

    /// How many operations have begun and not ended.
    int running() {
        return running.get();
    }

    /// Ends once every operation has.
    @Override
    public void close() {
        isOver = true;
        try {
            thread.join();
            while (running.get() > 0) {
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
