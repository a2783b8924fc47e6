package dev.sheaf.engine.trace;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The span of another program that a request belongs to (W3C Trace Context, section 3.2).
///
/// @param traceId 32 hexadecimal digits in lower case, not only zeros
/// @param spanId 16 such digits
/// @param sampled whether the other program records the trace
public record TraceParent(String traceId, String spanId, boolean sampled) {
    /// Versions after 00 may append fields (section 4.3); ff is not a version.
    private static final Pattern FORM =
            Pattern.compile("(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final int MAX = 256;

    /// @param values the values of the header `traceparent`, of which there must be one
    /// @return null if there is no valid value
    public static @Nullable TraceParent parse(List<String> values) {
        if (values.size() != 1 || values.getFirst().length() > MAX) {
            return null;
        }
        var matcher = FORM.matcher(values.getFirst());
        if (!matcher.matches() || matcher.group(1).equals("00") && matcher.group(5) != null) {
            return null;
        }
        boolean sampled = (Integer.parseInt(matcher.group(4), 16) & 1) == 1;
        return new TraceParent(matcher.group(2), matcher.group(3), sampled);
    }
}
