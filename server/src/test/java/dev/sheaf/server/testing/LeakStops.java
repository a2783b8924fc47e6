package dev.sheaf.server.testing;

import io.netty.util.ResourceLeakDetector;

/// Stops the tests if a buffer of Netty was collected and not released: nobody would read a line in the log.
public final class LeakStops<T> extends ResourceLeakDetector<T> {
    private static final int STATUS = 77;

    /// Called by Netty.
    public LeakStops(Class<?> type, int interval) {
        super(type, interval);
    }

    /// Called by Netty for the types whose leaks it always reports.
    @SuppressWarnings("deprecation")
    public LeakStops(Class<?> type, int interval, long most) {
        super(type, interval, most);
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
        super.reportTracedLeak(type, records);
        Runtime.getRuntime().halt(STATUS);
    }

    @Override
    protected void reportUntracedLeak(String type) {
        super.reportUntracedLeak(type);
        Runtime.getRuntime().halt(STATUS);
    }
}
