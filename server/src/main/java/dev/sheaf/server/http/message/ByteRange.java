package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import java.util.Optional;
import java.util.regex.Pattern;

/// One range of bytes that a client asks for (RFC 9110, section 14).
public record ByteRange(long from, long count) {
    private static final Pattern SINGLE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

    /// The part of content of `size` bytes that the header means; empty where the whole is to be sent:
    /// several ranges, or another unit.
    ///
    /// @throws dev.sheaf.model.ProblemException range-not-satisfiable where no byte of the content is in it
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

    /// The Content-Range of an answer that holds this part.
    public String header(long size) {
        return "bytes " + from + "-" + (from + count - 1) + "/" + size;
    }
}
