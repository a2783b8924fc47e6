package dev.sheaf.server.http.routing;

import dev.sheaf.engine.trace.RequestSpan;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.AccessNote;
import dev.sheaf.server.http.message.Call;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs every n-th request, and every request that failed because of the server (status 500 and above).
/// Queries and bodies are not logged. Thread-safe.
public final class AccessLog implements AccessNote {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final int FAILED = 500;

    private final AtomicInteger every;
    private final AtomicLong count = new AtomicLong();

    /// @param every logs one request in this number; 0 logs no requests, 1 logs all
    public AccessLog(int every) {
        this.every = new AtomicInteger(every);
    }

    /// Changes the share of logged requests.
    public void every(int next) {
        every.set(next);
    }

    @Override
    public void note(Call call, int status, long nanos) {
        int share = every.get();
        if (share == 0 || status < FAILED && count.getAndIncrement() % share != 0) {
            return;
        }
        var line = LOG.atInfo()
                .addKeyValue("id", call.requestId())
                .addKeyValue("method", RefusalLog.method(call))
                .addKeyValue("path", RefusalLog.path(call))
                .addKeyValue("route", call.pattern())
                .addKeyValue("status", status)
                .addKeyValue("micros", TimeUnit.NANOSECONDS.toMicros(nanos))
                .addKeyValue(
                        "caller", call.caller() instanceof Caller.Known known ? known.actor() : RefusalLog.nobody(call))
                .addKeyValue("from", call.from());
        if (call.span() instanceof RequestSpan span) {
            line = line.addKeyValue("trace_id", span.traceId());
        }
        line.log("request");
    }
}
