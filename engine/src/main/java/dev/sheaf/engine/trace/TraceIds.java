package dev.sheaf.engine.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;

/// Gives the first span of a trace the id that the answer of its request shows. Thread-safe.
final class TraceIds implements IdGenerator {
    private final IdGenerator random = IdGenerator.random();
    private final ScopedValue<String> next = ScopedValue.newInstance();

    /// Begins a span with the given trace id.
    Span with(String traceId, Supplier<Span> begin) {
        return ScopedValue.where(next, traceId).call(begin::get);
    }

    /// Returns whether a random trace id belongs to this share of all ids. Every node decides in the same way.
    static boolean isWithin(String traceId, double share) {
        long low = Long.parseUnsignedLong(traceId, 16, 32, 16) >>> 1;
        return low < share * Long.MAX_VALUE || share >= 1;
    }

    @Override
    public String generateTraceId() {
        return next.isBound() ? next.get() : random.generateTraceId();
    }

    @Override
    public String generateSpanId() {
        return random.generateSpanId();
    }
}
