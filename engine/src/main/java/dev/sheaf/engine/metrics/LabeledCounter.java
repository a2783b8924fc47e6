package dev.sheaf.engine.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/// Counts that only grow, by the values of labels. Thread-safe. Code that counts often resolves its counter once
/// and keeps it.
public final class LabeledCounter {
    private final Map<List<String>, LongAdder> counts = new ConcurrentHashMap<>();

    /// Returns the counter with these values of the labels, which are words of the program, never input.
    public LongAdder of(String... values) {
        return counts.computeIfAbsent(List.of(values), missing -> new LongAdder());
    }

    void forEach(BiConsumer<String[], LongAdder> consumer) {
        counts.forEach((values, count) -> consumer.accept(values.toArray(String[]::new), count));
    }
}
