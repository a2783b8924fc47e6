package dev.sheaf.engine.cpu;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// A cache of computed results, by the digest of their input, limited in bytes. A request for a result that is
/// being computed waits for that computation. Thread-safe.
///
/// @param <K> everything that the result depends on
public final class ResultCache<K, V> {
    private final CpuPool pool;
    private final Duration limit;
    private final Cache<K, V> known;
    private final ConcurrentHashMap<K, PooledWork<V>> underWay = new ConcurrentHashMap<>();

    /// @param limit the maximum processor time per result
    /// @param bytes the maximum total size of all results
    public ResultCache(CpuPool pool, Duration limit, long bytes, Weigher<K, V> size) {
        this.pool = pool;
        this.limit = limit;
        this.known = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher(size)
                .executor(Runnable::run)
                .build();
    }

    /// @param work must give the same result for the same key
    /// @throws dev.sheaf.model.ProblemException those of [CpuPool#run]
    public V get(K key, CpuPool.Work<V> work) {
        return get(key, () -> work);
    }

    /// Returns a result whose computation needs data from elsewhere. The data is fetched on the caller's own
    /// thread, which may wait for it, and not on the threads of the pool.
    ///
    /// @param ready called only if the result is neither cached nor being computed
    /// @throws dev.sheaf.model.ProblemException those of [CpuPool#run] and as `ready` throws
    public V get(K key, Supplier<CpuPool.Work<V>> ready) {
        V found = known.getIfPresent(key);
        if (found != null) {
            return found;
        }
        if (CpuPool.isWorker()) {
            var work = ready.get();
            return pool.run(limit, budget -> kept(key, work, budget));
        }
        var task = underWay.get(key);
        return (task != null && task.join() ? task : shared(key, ready.get())).await();
    }

    private PooledWork<V> shared(K key, CpuPool.Work<V> work) {
        var joined = new AtomicReference<PooledWork<V>>();
        underWay.compute(key, (missing, task) -> {
            joined.set(task != null && task.join() ? task : pool.submit(limit, budget -> kept(key, work, budget)));
            return joined.get();
        });
        var task = joined.get();
        task.atItsEnd(() -> underWay.remove(key, task));
        return task;
    }

    private V kept(K key, CpuPool.Work<V> work, Budget budget) {
        V made = work.run(budget);
        known.put(key, made);
        return made;
    }
}
