package dev.sheaf.server.http.wire;

import java.io.ByteArrayOutputStream;
import java.net.Inet6Address;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// The bytes of a head received so far, and tests of its parts (RFC 9110, section 5.6; RFC 3986). A range
/// begins at its first position and ends before its last. Bound to its connection's thread.
final class HeadBytes {
    /// Characters that some clients send in a target, although it must not contain them.
    private static final String RAW = "\"<>\\^`{|}";
    private static final String NAME_MARKS = "!#$%&'*+-.^_`|~";
    private static final String HOST_MARKS = "-._~!$&'()*+,;=";

    private byte[] bytes = {};
    private int length;

    void add(byte[] piece, int from, int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * length));
        }
        System.arraycopy(piece, from, bytes, length, count);
        length += count;
    }

    int length() {
        return length;
    }

    byte at(int place) {
        return bytes[place];
    }

    /// Returns the first `count` bytes.
    byte[] first(int count) {
        return bytes.length == count ? bytes : Arrays.copyOf(bytes, count);
    }

    void writeTo(ByteArrayOutputStream out, int from, int to) {
        out.write(bytes, from, to - from);
    }

    /// Returns the next position of the byte, or `to`.
    int next(int from, int to, char wanted) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    /// Returns whether the bytes are the lower-case word, ignoring case.
    boolean is(int from, int to, byte[] word) {
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

    boolean isToken(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isAlphanumeric(bytes[i]) && NAME_MARKS.indexOf(bytes[i]) < 0) {
                return false;
            }
        }
        return to > from;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static boolean isAlphanumeric(byte b) {
        return isDigit(b) || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    /// Returns whether the bytes are a host, optionally with a port (RFC 9110, section 7.2).
    boolean isHost(int from, int to) {
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
            return bracketed.endsWith("]") && inside.indexOf('%') < 0 && Inet6Address.ofLiteral(inside) != null;
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            return false;
        }
    }

    /// Returns whether the byte must be encoded in a target; some clients send it as it is.
    boolean isRaw(int place) {
        return bytes[place] < 0 || RAW.indexOf(bytes[place]) >= 0;
    }

    boolean isControl(int place) {
        return bytes[place] >= 0 && bytes[place] < ' ' || bytes[place] == 0x7f;
    }

    /// Writes a target with the missing percent-encoding.
    void writeEncoded(ByteArrayOutputStream out, int from, int to) {
        for (int i = from; i < to; i++) {
            if (isRaw(i)) {
                out.write('%');
                out.writeBytes(ascii(HexFormat.of().withUpperCase().toHexDigits(bytes[i])));
            } else {
                out.write(bytes[i]);
            }
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
