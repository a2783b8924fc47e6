package dev.sheaf.server.http.routing;

import dev.sheaf.engine.metrics.RequestTimes;
import dev.sheaf.engine.trace.RequestSpan;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import java.net.URI;
import java.util.Set;

/// What the span of a request tells about it. It names nothing that a client chose except a known method and a
/// known host: neither path, query, headers, caller nor address.
final class RequestSpans {
    /// The known methods in the semantic conventions of OpenTelemetry, of those that this server can receive.
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    private RequestSpans() {}

    /// @param status 0 if the connection broke before the answer
    static void end(RequestSpan span, Call call, int status) {
        if (call.way().isByKnownHost()) {
            var base = URI.create(call.baseUrl());
            span.at(base.getScheme(), base.getHost(), base.getPort());
        }
        span.end(new RequestSpan.Ended(
                METHODS.contains(call.method()) ? call.method() : "_OTHER",
                call.pattern().equals(RequestTimes.UNKNOWN) ? null : call.pattern(),
                status,
                call.problem().map(ProblemJson::code).orElse(null),
                call.requestId()));
    }
}
