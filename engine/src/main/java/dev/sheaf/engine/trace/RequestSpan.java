package dev.sheaf.engine.trace;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The span of a request whose trace is recorded, and the spans of the calls that it waits for. Thread-safe.
public final class RequestSpan {
    static final int MOST_CALLS = 500; // a request may make any number of calls, and an answer may last for hours
    private static final int SERVER_ERROR = 500;

    private final Tracer tracer;
    private final Span span;
    private final Context context;
    private final long clockNanos; // what to add to System.nanoTime() for nanoseconds since 1970
    private final AtomicInteger calls = new AtomicInteger();

    /// What is known of a request at its end. No value comes from its query, headers or body.
    ///
    /// @param method a known method, or `_OTHER`
    /// @param route the template of the route; null if no route matches
    /// @param status 0 if the connection broke before the answer
    /// @param problem the code of the problem in the answer; null if it has none
    public record Ended(
            String method,
            @Nullable String route,
            int status,
            @Nullable String problem,
            String requestId) {}

    /// @param clockNanos what to add to [System#nanoTime] for nanoseconds since 1970
    RequestSpan(Tracer tracer, Span span, long clockNanos) {
        this.tracer = tracer;
        this.span = span;
        this.context = Context.root().with(span);
        this.clockNanos = clockNanos;
    }

    public String traceId() {
        return span.getSpanContext().getTraceId();
    }

    public String spanId() {
        return span.getSpanContext().getSpanId();
    }

    /// Adds where the request was sent to.
    public void at(String scheme, String host, int port) {
        span.setAttribute("url.scheme", scheme).setAttribute("server.address", host);
        if (port > 0) {
            span.setAttribute("server.port", port);
        }
    }

    /// Ends the span. A refusal is not an error of the server (OpenTelemetry semantic conventions, HTTP).
    public void end(Ended with) {
        String method = with.method().equals("_OTHER") ? "HTTP" : with.method();
        span.updateName(with.route() == null ? method : method + " " + with.route());
        span.setAttribute("http.request.method", with.method());
        span.setAttribute("sheaf.request.id", with.requestId());
        if (with.route() != null) {
            span.setAttribute("http.route", with.route());
        }
        if (with.status() > 0) {
            span.setAttribute("http.response.status_code", with.status());
        }
        if (with.problem() != null) {
            span.setAttribute("sheaf.problem", with.problem());
        }
        if (with.status() == 0 || with.status() >= SERVER_ERROR) {
            span.setAttribute("error.type", with.status() == 0 ? "connection" : Integer.toString(with.status()));
            span.setStatus(StatusCode.ERROR);
        }
        if (calls.get() > MOST_CALLS) {
            span.setAttribute("sheaf.calls.omitted", calls.get() - MOST_CALLS);
        }
        span.end(clockNanos + System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /// Adds the span of a call that has just ended.
    ///
    /// @param failure null if the call succeeded
    void called(String name, Attributes attributes, long nanos, @Nullable Throwable failure) {
        if (calls.incrementAndGet() > MOST_CALLS) {
            return;
        }
        long end = clockNanos + System.nanoTime();
        var call = tracer.spanBuilder(name)
                .setParent(context)
                .setSpanKind(SpanKind.CLIENT)
                .setAllAttributes(attributes)
                .setStartTimestamp(end - nanos, TimeUnit.NANOSECONDS)
                .startSpan();
        if (failure != null && !isRefusal(failure)) {
            call.setAttribute("error.type", failure.getClass().getName());
            call.setStatus(StatusCode.ERROR); // without the message, which may quote anything
        }
        call.end(end, TimeUnit.NANOSECONDS);
    }

    /// Adds the span of a call to another server that has just ended. Its path and query may be secrets, as in the
    /// addresses of webhooks, so only the host is named.
    ///
    /// @param status 0 if there was no answer
    /// @param failure null if there was an answer
    public void sent(String method, URI address, int status, long nanos, @Nullable Throwable failure) {
        var attributes = Attributes.builder()
                .put("http.request.method", method)
                .put("server.address", String.valueOf(address.getHost()))
                .put("server.port", port(address));
        if (status > 0) {
            attributes.put("http.response.status_code", status);
        }
        called(method, attributes.build(), nanos, failure);
    }

    private static int port(URI address) {
        int usual = "https".equals(address.getScheme()) ? 443 : 80;
        return address.getPort() < 0 ? usual : address.getPort();
    }

    /// Returns whether the work of a transaction has refused the request, which is not a failure of the database.
    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ProblemException refused
                && !(refused.problem() instanceof Problem.Unavailable
                        || refused.problem() instanceof Problem.StorageFull
                        || refused.problem() instanceof Problem.Internal);
    }
}
