package dev.sheaf.server.http.server;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The ids of a request in logs: those of the caller if they are well-formed, otherwise random.
public record RequestIds(String requestId, String traceId) {
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final Pattern TRACEPARENT = Pattern.compile("00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final String NO_TRACE = "0".repeat(32);

    /// @param traceparent the W3C Trace Context header
    public static RequestIds of(@Nullable String requestId, @Nullable String traceparent) {
        return new RequestIds(
                Optional.ofNullable(requestId)
                        .filter(id -> SANE.matcher(id).matches())
                        .orElseGet(RequestIds::random),
                Optional.ofNullable(traceparent)
                        .map(TRACEPARENT::matcher)
                        .filter(matcher ->
                                matcher.matches() && !matcher.group(1).equals(NO_TRACE))
                        .map(matcher -> matcher.group(1))
                        .orElseGet(RequestIds::random));
    }

    private static String random() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
