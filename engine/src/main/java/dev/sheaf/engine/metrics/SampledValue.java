package dev.sheaf.engine.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A value that costs a query: read when monitoring asks for it, but at most every five seconds. If it cannot be
/// read, the last one stays; other metrics show that the database fails. Thread-safe.
public final class SampledValue<T> implements Supplier<T> {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(SampledValue.class);

    private final Supplier<T> source;
    private T value;
    private long asked = System.nanoTime() - KEPT_NANOS;

    /// @param first the value until the source was read
    public SampledValue(T first, Supplier<T> source) {
        this.value = first;
        this.source = source;
    }

    @Override
    public synchronized T get() {
        if (System.nanoTime() - asked >= KEPT_NANOS) {
            asked = System.nanoTime();
            try {
                value = source.get();
            } catch (RuntimeException e) {
                LOG.debug("a metric could not be read", e);
            }
        }
        return value;
    }
}
