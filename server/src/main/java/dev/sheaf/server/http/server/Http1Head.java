package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Unfit;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The head of one request as its bytes come: found to its end, and checked before anybody else reads it (RFC 9112,
/// sections 2, 3, 5 and 6). What is not quite a head is refused as a whole, so that nobody in front or behind may
/// read it in another way. Bound to its connection's thread.
final class Http1Head {
    static final int MAX_LINE = 8 << 10;
    static final int MAX_FIELDS = 32 << 10;
    /// One byte more than any head that is no fault: with fewer, one that is too long by so little would be waited
    /// for, and no byte more of it taken.
    private static final int MOST = MAX_LINE + 2 + MAX_FIELDS + 1;
    private static final int MAX_COUNT = 200;
    private static final int MAX_DIGITS = 18;
    private static final Problem TOO_LONG = new Problem.HeadUnfit(
            Unfit.URI_TOO_LONG, "the first line of the request is over the limit of " + MAX_LINE + " bytes");
    private static final Problem TOO_MUCH = new Problem.HeadUnfit(
            Unfit.FIELDS_TOO_LARGE,
            "the headers of the request are over the limit of " + MAX_FIELDS + " bytes, or more than " + MAX_COUNT);
    private static final Problem CODED =
            new Problem.HeadUnfit(Unfit.CODING_UNKNOWN, "of transfer codings only chunked is known");
    private static final Problem OTHER_VERSION =
            new Problem.HeadUnfit(Unfit.VERSION_UNSUPPORTED, "HTTP/1.1 and HTTP/1.0 are spoken here");
    private static final byte[] VERSION = bytes("HTTP/1.");
    private static final byte[] CHUNKED = bytes("chunked");
    private static final byte[] HOST = bytes("host");
    private static final byte[] LENGTH = bytes("content-length");
    private static final byte[] CODING = bytes("transfer-encoding");
    private static final String RAW = "\"<>\\^`{|}"; // what a target may not hold, and what people write into it
    private static final String NAME_MARKS = "!#$%&'*+-.^_`|~";
    private static final String HOST_MARKS = "-._~!$&'()*+,;=";

    private byte[] bytes = {};
    private int length;
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

    /// Takes bytes as far as they belong to the head.
    ///
    /// @return where the rest begins
    int take(byte[] piece, int from, int to) {
        int skipped = from;
        while (length == 0 && skipped < to && (piece[skipped] == '\r' || piece[skipped] == '\n')) {
            skipped++; // an empty line in front of a request is none of it (section 2.2)
        }
        int added = Math.min(to - skipped, MOST - length);
        if (length + added > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + added, 2 * length));
        }
        System.arraycopy(piece, skipped, bytes, length, added);
        int before = length;
        length += added;
        scan();
        if (length == MOST && !complete && fault == null) {
            fault = TOO_MUCH;
        }
        return complete ? skipped + scanned - before : skipped + added;
    }

    private void scan() {
        while (scanned < length && !complete && fault == null) {
            int at = scanned++;
            if (bytes[at] == '\n') {
                if (at == lineStart || bytes[at - 1] != '\r') {
                    refuse("a line ends without a carriage return");
                } else {
                    line(lineStart, at - 1);
                    lineStart = at + 1;
                }
            } else if (at > lineStart && bytes[at - 1] == '\r') {
                refuse("a line holds a carriage return");
            }
        }
        if (fault == null) {
            int fields = fieldsFrom < 0 ? 0 : scanned - fieldsFrom;
            fault = scanned - fields > MAX_LINE + 2 ? TOO_LONG : fields > MAX_FIELDS ? TOO_MUCH : null;
        }
    }

    private void refuse(String why) {
        if (fault == null) {
            fault = new Problem.BadRequest("this is no request of HTTP/1.1: " + why);
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
            refuse("it has Transfer-Encoding where that cannot be");
        }
    }

    private void requestLine(int from, int to) {
        targetFrom = next(from, to, ' ') + 1;
        targetTo = next(targetFrom, to, ' ');
        int version = targetTo + 1;
        if (to - from > MAX_LINE) {
            fault = TOO_LONG;
        } else if (!isToken(from, targetFrom - 1)) {
            refuse("its first word is no method");
        } else if (targetTo <= targetFrom || targetTo >= to) {
            refuse("its first line is not method, path and version");
        } else if (to - version != VERSION.length + 1 || !is(version, to - 1, VERSION)) {
            boolean other = to - version == VERSION.length + 1 && is(version, version + 5, bytes("HTTP/"));
            fault = other
                    ? OTHER_VERSION
                    : new Problem.BadRequest("this is no request of HTTP/1.1: its first line ends in no version");
        } else if (bytes[to - 1] != '1' && bytes[to - 1] != '0') {
            fault = OTHER_VERSION;
        } else {
            old = bytes[to - 1] == '0';
            target();
        }
    }

    private void target() {
        for (int i = targetFrom; i < targetTo; i++) {
            byte b = bytes[i];
            if (b >= 0 && b < ' ' || b == 0x7f) {
                refuse("its path holds control characters; encode them");
            }
            raw |= b < 0 || RAW.indexOf(b) >= 0;
        }
    }

    private void field(int from, int to) {
        int colon = next(from, to, ':');
        int value = colon + 1;
        int end = to;
        if (++count > MAX_COUNT) {
            fault = TOO_MUCH;
        }
        if (colon >= to || !isToken(from, colon)) {
            refuse("a header has no name, or none that ends in a colon");
            return;
        }
        for (int i = value; i < to; i++) {
            if (bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\t' || bytes[i] == 0x7f) {
                refuse("a header holds control characters");
            }
        }
        while (value < end && isBlank(bytes[value])) {
            value++;
        }
        while (end > value && isBlank(bytes[end - 1])) {
            end--;
        }
        if (is(from, colon, HOST)) {
            host(value, end);
        } else if (is(from, colon, LENGTH)) {
            contentLength(value, end);
        } else if (is(from, colon, CODING)) {
            coding(value, end);
        }
    }

    private void host(int from, int to) {
        if (hosted || !isHost(from, to)) {
            refuse(hosted ? "it has two Hosts" : "its Host is no host");
        }
        hosted = true;
    }

    private boolean isHost(int from, int to) {
        int end = to;
        for (int i = to - 1; i > from && to - i <= 6; i--) {
            if (bytes[i] == ':') {
                end = to - i > 1 ? i : to;
                break;
            } else if (!isDigit(bytes[i])) {
                break;
            }
        }
        if (from < end && bytes[from] == '[') {
            return isLiteral(new String(bytes, from, end - from, StandardCharsets.ISO_8859_1));
        }
        for (int i = from; i < end; i++) {
            if (!isAlphanumeric(bytes[i]) && HOST_MARKS.indexOf(bytes[i]) < 0) {
                return false;
            }
        }
        return from < end;
    }

    private static boolean isLiteral(String bracketed) {
        try {
            String inside = bracketed.substring(1, bracketed.length() - 1);
            return bracketed.endsWith("]")
                    && inside.indexOf('%') < 0
                    && java.net.Inet6Address.ofLiteral(inside) != null;
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            return false;
        }
    }

    private void contentLength(int from, int to) {
        if (contentLength >= 0 || to == from || to - from > MAX_DIGITS) {
            refuse("its Content-Length is no number, or there are two");
            return;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            if (!isDigit(bytes[i])) {
                refuse("its Content-Length is no number");
                return;
            }
            number = 10 * number + bytes[i] - '0';
        }
        contentLength = number;
    }

    /// Anything but `chunked` alone would need a decoder that is not there.
    private void coding(int from, int to) {
        if (!chunked && is(from, to, CHUNKED)) {
            chunked = true;
        } else if (!chunked && to - from > CHUNKED.length + 1 && endsInChunked(from, to)) {
            fault = CODED;
        } else {
            refuse("its Transfer-Encoding is not chunked");
        }
    }

    private boolean endsInChunked(int from, int to) {
        byte before = bytes[to - CHUNKED.length - 1];
        return is(to - CHUNKED.length, to, CHUNKED) && (before == ',' || isBlank(before)) && next(from, to, ',') < to;
    }

    private int next(int from, int to, char wanted) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    /// Whether these bytes are the lower-case word, in any case.
    private boolean is(int from, int to, byte[] word) {
        if (to - from != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            int b = bytes[from + i];
            if (b != word[i] && (b | 0x20) != word[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isToken(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isAlphanumeric(bytes[i]) && NAME_MARKS.indexOf(bytes[i]) < 0) {
                return false;
            }
        }
        return to > from;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isAlphanumeric(byte b) {
        return isDigit(b) || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    boolean isComplete() {
        return complete;
    }

    /// Whether none of it has come.
    boolean isEmpty() {
        return length == 0;
    }

    int size() {
        return length;
    }

    /// Why it is refused; null where it is not.
    @Nullable
    Problem fault() {
        return fault;
    }

    /// Whether it is one of HTTP/1.0, whose answer has no chunks and ends with the connection.
    boolean isOld() {
        return old;
    }

    boolean isChunked() {
        return chunked;
    }

    /// The bytes of content that follow, where they are not chunked.
    long contentLength() {
        return Math.max(0, contentLength);
    }

    /// The head for whoever reads it next: always one of HTTP/1.1, and its target encoded as it should have been.
    ///
    /// @param local the address that the connection was made to, the Host of whoever sends none
    byte[] normal(String local) {
        if (!old && !raw) {
            return length == scanned && bytes.length == length ? bytes : Arrays.copyOf(bytes, scanned);
        }
        var out = new ByteArrayOutputStream(scanned + 128);
        out.write(bytes, 0, targetFrom);
        out.writeBytes(encoded());
        out.writeBytes(bytes(" HTTP/1.1\r\n"));
        if (old) {
            out.writeBytes(bytes((hosted ? "" : "Host: " + local + "\r\n") + "Connection: close\r\n"));
            fieldsOfOld(out);
        } else {
            out.write(bytes, fieldsFrom, scanned - fieldsFrom);
        }
        return out.toByteArray();
    }

    private byte[] encoded() {
        var out = new ByteArrayOutputStream(targetTo - targetFrom + 32);
        for (int i = targetFrom; i < targetTo; i++) {
            if (bytes[i] < 0 || RAW.indexOf(bytes[i]) >= 0) {
                out.write('%');
                out.writeBytes(bytes(HexFormat.of().withUpperCase().toHexDigits(bytes[i])));
            } else {
                out.write(bytes[i]);
            }
        }
        return out.toByteArray();
    }

    /// Without what HTTP/1.0 has not: connections that are kept, and a word before the body is sent.
    private void fieldsOfOld(ByteArrayOutputStream out) {
        for (int from = fieldsFrom; from < scanned; ) {
            int end = next(from, scanned, '\n') + 1;
            int colon = next(from, end, ':');
            if (!is(from, colon, bytes("connection")) && !is(from, colon, bytes("expect"))) {
                out.write(bytes, from, end - from);
            }
            from = end;
        }
    }

    /// A request in place of one that is refused, with as much of that as tells which half of the service was asked.
    byte[] substitute(String local) {
        int from = targetFrom > 0 && targetFrom < length ? targetFrom : next(0, length, ' ') + 1;
        var path = new StringBuilder("/");
        for (int i = from + 1; i < Math.min(length, from + 200) && from < length && bytes[from] == '/'; i++) {
            if (!isAlphanumeric(bytes[i]) && "/-._~:".indexOf(bytes[i]) < 0) {
                break;
            }
            path.append((char) bytes[i]);
        }
        boolean head = is(0, Math.min(length, from - 1), bytes("head"));
        return bytes(
                (head ? "HEAD " : "GET ") + path + " HTTP/1.1\r\nHost: " + local + "\r\nConnection: close\r\n\r\n");
    }
}
