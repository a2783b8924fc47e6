package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import java.util.Optional;
import java.util.regex.Pattern;

/// A single range of bytes that a client requests (RFC 9110, section 14).
public record ByteRange(long from, long count) {
    private static final Pattern SINGLE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

    /// Parses a header for content of `size` bytes. Empty if it has several ranges or another unit; then the
    /// whole content must be sent.
    ///
    /// @throws dev.sheaf.model.ProblemException range-not-satisfiable if no byte of the content is in the range
    public static Optional<ByteRange> of(String header, long size) {
        var matcher = SINGLE.matcher(header.replace(" ", ""));
        if (!matcher.matches() || matcher.group(1).isEmpty() && matcher.group(2).isEmpty()) {
            return Optional.empty();
        }
        long from;
        long last = size - 1;
        if (matcher.group(1).isEmpty()) {
            from = Math.max(0, size - Long.parseLong(matcher.group(2)));
        } else {
            from = Long.parseLong(matcher.group(1));
            last = matcher.group(2).isEmpty() ? last : Math.min(last, Long.parseLong(matcher.group(2)));
        }
        if (from > last) {
            throw new Problem.RangeNotSatisfiable(size).raise();
        }
        return Optional.of(new ByteRange(from, last - from + 1));
    }

    /// Returns the Content-Range of an answer with this part.
    public String header(long size) {
        return "bytes " + from + "-" + (from + count - 1) + "/" + size;
    }
}
