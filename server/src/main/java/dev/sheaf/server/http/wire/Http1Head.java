package dev.sheaf.server.http.wire;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Unfit;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/// Finds the end of a request's head as its bytes arrive, and checks the head before other code reads it (RFC
/// 9112, sections 2, 3, 5 and 6). A malformed head is refused as a whole, because a proxy may have read it
/// differently. Bound to its connection's thread.
public final class Http1Head {
    public static final int MAX_LINE = 8 << 10;
    public static final int MAX_FIELDS = 32 << 10;
    /// One byte more than the longest valid head. Otherwise a head that is too long by one byte would neither
    /// be completed nor be refused.
    private static final int MAX = MAX_LINE + 2 + MAX_FIELDS + 1;
    private static final int MAX_COUNT = 200;
    private static final int MAX_DIGITS = 18;
    private static final Problem TOO_LONG = new Problem.HeadUnfit(
            Unfit.URI_TOO_LONG, "the first line of the request is over the limit of " + MAX_LINE + " bytes");
    private static final Problem TOO_MUCH = new Problem.HeadUnfit(
            Unfit.FIELDS_TOO_LARGE,
            "the headers of the request are over the limit of " + MAX_FIELDS + " bytes, or more than " + MAX_COUNT);
    private static final Problem CODED =
            new Problem.HeadUnfit(Unfit.CODING_UNKNOWN, "the only supported transfer coding is chunked");
    private static final Problem OTHER_VERSION =
            new Problem.HeadUnfit(Unfit.VERSION_UNSUPPORTED, "only HTTP/1.1 and HTTP/1.0 are supported");
    private static final byte[] VERSION = HeadBytes.ascii("HTTP/1.");
    private static final byte[] CHUNKED = HeadBytes.ascii("chunked");
    private static final byte[] HOST = HeadBytes.ascii("host");
    private static final byte[] LENGTH = HeadBytes.ascii("content-length");
    private static final byte[] CODING = HeadBytes.ascii("transfer-encoding");

    private final HeadBytes head = new HeadBytes();
    private int scanned;
    private int lineStart;
    private int count;
    private int targetFrom;
    private int targetTo;
    private int fieldsFrom = -1;
    private boolean complete;
    private boolean old;
    private boolean raw;
    private boolean hosted;
    private boolean chunked;
    private long contentLength = -1;
    private @Nullable Problem fault;

    /// Takes the bytes that belong to the head.
    ///
    /// @return the position after the bytes that were taken
    int take(byte[] piece, int from, int to) {
        int skipped = from;
        while (head.length() == 0 && skipped < to && (piece[skipped] == '\r' || piece[skipped] == '\n')) {
            skipped++; // an empty line before a request is ignored (section 2.2)
        }
        int added = Math.min(to - skipped, MAX - head.length());
        int before = head.length();
        head.add(piece, skipped, added);
        scan();
        if (head.length() == MAX && !complete && fault == null) {
            fault = TOO_MUCH;
        }
        return complete ? skipped + scanned - before : skipped + added;
    }

    private void scan() {
        while (scanned < head.length() && !complete && fault == null) {
            int at = scanned++;
            if (head.at(at) == '\n') {
                if (at == lineStart || head.at(at - 1) != '\r') {
                    refuse("a line ends without a carriage return");
                } else {
                    line(lineStart, at - 1);
                    lineStart = at + 1;
                }
            } else if (at > lineStart && head.at(at - 1) == '\r') {
                refuse("a line contains a carriage return");
            }
        }
        if (fault == null) {
            int fields = fieldsFrom < 0 ? 0 : scanned - fieldsFrom;
            fault = scanned - fields > MAX_LINE + 2 ? TOO_LONG : fields > MAX_FIELDS ? TOO_MUCH : null;
        }
    }

    private void refuse(String why) {
        if (fault == null) {
            fault = new Problem.BadRequest("not a valid HTTP/1.1 request: " + why);
        }
    }

    private void line(int from, int to) {
        if (fieldsFrom < 0) {
            fieldsFrom = to + 2;
            requestLine(from, to);
        } else if (to > from) {
            field(from, to);
        } else {
            complete = true;
            ended();
        }
    }

    private void ended() {
        if (!hosted && !old) {
            refuse("it has no Host");
        } else if (chunked && (old || contentLength >= 0)) {
            refuse("it has a Transfer-Encoding, which is not allowed here");
        }
    }

    private void requestLine(int from, int to) {
        targetFrom = head.next(from, to, ' ') + 1;
        targetTo = head.next(targetFrom, to, ' ');
        int version = targetTo + 1;
        if (to - from > MAX_LINE) {
            fault = TOO_LONG;
        } else if (!head.isToken(from, targetFrom - 1)) {
            refuse("its first word is not a method");
        } else if (targetTo <= targetFrom || targetTo >= to) {
            refuse("its first line must be method, path and version");
        } else if (to - version != VERSION.length + 1 || !head.is(version, to - 1, VERSION)) {
            boolean other =
                    to - version == VERSION.length + 1 && head.is(version, version + 5, HeadBytes.ascii("HTTP/"));
            fault = other
                    ? OTHER_VERSION
                    : new Problem.BadRequest("not a valid HTTP/1.1 request: its first line does not end in a version");
        } else if (head.at(to - 1) != '1' && head.at(to - 1) != '0') {
            fault = OTHER_VERSION;
        } else {
            old = head.at(to - 1) == '0';
            target();
        }
    }

    private void target() {
        for (int i = targetFrom; i < targetTo; i++) {
            if (head.isControl(i)) {
                refuse("its path contains control characters; encode them");
            }
            raw |= head.isRaw(i);
        }
    }

    private void field(int from, int to) {
        int colon = head.next(from, to, ':');
        int value = colon + 1;
        int end = to;
        if (++count > MAX_COUNT) {
            fault = TOO_MUCH;
        }
        if (colon >= to || !head.isToken(from, colon)) {
            refuse("a header has no name that ends in a colon");
            return;
        }
        for (int i = value; i < to; i++) {
            if (head.isControl(i) && head.at(i) != '\t') {
                refuse("a header contains control characters");
            }
        }
        while (value < end && HeadBytes.isBlank(head.at(value))) {
            value++;
        }
        while (end > value && HeadBytes.isBlank(head.at(end - 1))) {
            end--;
        }
        if (head.is(from, colon, HOST)) {
            host(value, end);
        } else if (head.is(from, colon, LENGTH)) {
            contentLength(value, end);
        } else if (head.is(from, colon, CODING)) {
            coding(value, end);
        }
    }

    private void host(int from, int to) {
        if (hosted || !head.isHost(from, to)) {
            refuse(hosted ? "it has two Hosts" : "its Host is not valid");
        }
        hosted = true;
    }

    private void contentLength(int from, int to) {
        if (contentLength >= 0 || to == from || to - from > MAX_DIGITS) {
            refuse("its Content-Length is not a number, or it has two");
            return;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            if (!HeadBytes.isDigit(head.at(i))) {
                refuse("its Content-Length is not a number");
                return;
            }
            number = 10 * number + head.at(i) - '0';
        }
        contentLength = number;
    }

    /// Accepts only `chunked`; anything else would need another decoder.
    private void coding(int from, int to) {
        if (!chunked && head.is(from, to, CHUNKED)) {
            chunked = true;
        } else if (!chunked && to - from > CHUNKED.length + 1 && endsInChunked(from, to)) {
            fault = CODED;
        } else {
            refuse("its Transfer-Encoding is not chunked");
        }
    }

    private boolean endsInChunked(int from, int to) {
        byte before = head.at(to - CHUNKED.length - 1);
        return head.is(to - CHUNKED.length, to, CHUNKED)
                && (before == ',' || HeadBytes.isBlank(before))
                && head.next(from, to, ',') < to;
    }

    boolean isComplete() {
        return complete;
    }

    /// Returns why the head is refused; null if it is not.
    @Nullable
    Problem fault() {
        return fault;
    }

    /// Returns whether it uses HTTP/1.0: the answer has no chunks and ends with the connection.
    boolean isOld() {
        return old;
    }

    boolean isChunked() {
        return chunked;
    }

    /// Returns the length of the content in bytes if it is not chunked.
    long contentLength() {
        return Math.max(0, contentLength);
    }

    /// Returns the head for the library: always HTTP/1.1, with a properly encoded target.
    ///
    /// @param local the local address of the connection, used as Host if none was sent
    byte[] normal(String local) {
        if (!old && !raw) {
            return head.first(scanned);
        }
        var out = new ByteArrayOutputStream(scanned + 128);
        head.writeTo(out, 0, targetFrom);
        head.writeEncoded(out, targetFrom, targetTo);
        out.writeBytes(HeadBytes.ascii(" HTTP/1.1\r\n"));
        if (old) {
            out.writeBytes(HeadBytes.ascii((hosted ? "" : "Host: " + local + "\r\n") + "Connection: close\r\n"));
            fieldsOfOld(out);
        } else {
            head.writeTo(out, fieldsFrom, scanned);
        }
        return out.toByteArray();
    }

    /// Writes the fields except `Connection` and `Expect`, which HTTP/1.0 does not define.
    private void fieldsOfOld(ByteArrayOutputStream out) {
        for (int from = fieldsFrom; from < scanned; ) {
            int end = head.next(from, scanned, '\n') + 1;
            int colon = head.next(from, end, ':');
            if (!head.is(from, colon, HeadBytes.ascii("connection"))
                    && !head.is(from, colon, HeadBytes.ascii("expect"))) {
                head.writeTo(out, from, end);
            }
            from = end;
        }
    }

    /// Returns a request that replaces a refused one. It keeps the beginning of the path, so that the right
    /// surface answers.
    byte[] substitute(String local) {
        int from = targetFrom > 0 && targetFrom < head.length() ? targetFrom : head.next(0, head.length(), ' ') + 1;
        var path = new StringBuilder("/");
        for (int i = from + 1;
                i < Math.min(head.length(), from + 200) && from < head.length() && head.at(from) == '/';
                i++) {
            if (!HeadBytes.isAlphanumeric(head.at(i)) && "/-._~:".indexOf(head.at(i)) < 0) {
                break;
            }
            path.append((char) head.at(i));
        }
        boolean isHead = head.is(0, Math.min(head.length(), from - 1), HeadBytes.ascii("head"));
        return HeadBytes.ascii(
                (isHead ? "HEAD " : "GET ") + path + " HTTP/1.1\r\nHost: " + local + "\r\nConnection: close\r\n\r\n");
    }
}
