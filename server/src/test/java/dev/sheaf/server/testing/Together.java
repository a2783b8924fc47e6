package dev.sheaf.server.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/// Runs tasks on virtual threads that all start at the same moment.
public final class Together {
    private Together() {}

    /// The results in the order of the tasks' numbers.
    ///
    /// @throws ExecutionException where a task failed
    public static <T> List<T> run(int tasks, IntFunction<Callable<T>> task)
            throws ExecutionException, InterruptedException {
        var barrier = new CyclicBarrier(tasks);
        var results = new ArrayList<T>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<T>>();
            for (int i = 0; i < tasks; i++) {
                var one = task.apply(i);
                futures.add(executor.submit(() -> {
                    barrier.await();
                    return one.call();
                }));
            }
            for (var future : futures) {
                results.add(future.get());
            }
        }
        return results;
    }
}
