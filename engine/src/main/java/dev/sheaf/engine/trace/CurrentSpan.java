package dev.sheaf.engine.trace;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// The span of the request that a thread works for. Thread-safe.
public final class CurrentSpan {
    private static final ThreadLocal<@Nullable RequestSpan> SPAN = new ThreadLocal<>();

    /// False until a node of this process has tracing. Then reading the current span costs this check alone.
    private static volatile boolean used;

    private CurrentSpan() {}

    static void use() {
        used = true;
    }

    /// @return null if this thread works for no request, or its trace is not recorded
    public static @Nullable RequestSpan get() {
        return used ? SPAN.get() : null;
    }

    /// Runs work for a request. Its lines in the log have the ids of its trace.
    public static void during(RequestSpan span, Runnable work) {
        SPAN.set(span);
        MDC.put("trace_id", span.traceId());
        MDC.put("span_id", span.spanId());
        try {
            work.run();
        } finally {
            MDC.remove("trace_id");
            MDC.remove("span_id");
            SPAN.remove();
        }
    }
}
