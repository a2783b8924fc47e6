package dev.sheaf.engine.http;

import dev.sheaf.engine.trace.TraceParent;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The ids of a request in logs and traces: the request id that the client sent if it is well-formed, and the trace
/// id of a trusted proxy; otherwise random ids.
///
/// @param parent the span of the trusted proxy; null if there is none
public record RequestIds(
        String requestId, String traceId, @Nullable TraceParent parent) {
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    public static RequestIds of(@Nullable String requestId, @Nullable TraceParent parent) {
        return new RequestIds(
                Optional.ofNullable(requestId)
                        .filter(id -> SANE.matcher(id).matches())
                        .orElseGet(RequestIds::random),
                parent == null ? random() : parent.traceId(),
                parent);
    }

    private static String random() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
