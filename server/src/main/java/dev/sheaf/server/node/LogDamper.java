package dev.sheaf.server.node;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Limits each message of a logger to three per minute, and later reports how many were suppressed. It is for
/// messages that any client or a fault can cause many times, which could fill the disk. Thread-safe.
public final class LogDamper extends Filter<ILoggingEvent> {
    static final int MOST = 3;
    static final long PERIOD_MILLIS = 60_000;
    private static final int MOST_KINDS = 200;
    private static final Logger LOG = LoggerFactory.getLogger(LogDamper.class);

    /// Counts a message since a time.
    private record Kind(long since, int count) {}

    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    @Override
    public FilterReply decide(ILoggingEvent event) {
        String name = event.getLoggerName() + " " + event.getMessage();
        int left = 0;
        int count;
        synchronized (kinds) {
            var kind = kinds.get(name);
            if (kind == null || event.getTimeStamp() - kind.since() >= PERIOD_MILLIS) {
                left = kind == null ? 0 : Math.max(0, kind.count() - MOST);
                kind = new Kind(event.getTimeStamp(), 0);
                kinds.remove(name);
            }
            count = kind.count() + 1;
            kinds.put(name, new Kind(kind.since(), count));
            if (kinds.size() > MOST_KINDS) {
                kinds.remove(kinds.keySet().iterator().next());
            }
        }
        if (left > 0) {
            LOG.warn("{} further messages like the next one were suppressed", left);
        }
        return count > MOST ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
