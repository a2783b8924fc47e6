package dev.sheaf.model.passport;

import dev.sheaf.model.archive.ProgramFormat;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Texts as programs and agents understand them. One odd byte, an invisible letter or another kind of space must not
/// hide what is there.
final class PlainText {
    private static final int ODD_PERCENT = 10; // of a file that is text all the same
    private static final int NUL_PERCENT = 20; // at least, of UTF-16 with ASCII in it

    private static final List<byte[]> DOCUMENTS = List.of(
            latin("%PDF-"),
            latin("{\\rtf"),
            latin("SQLite format 3\0"),
            latin("\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1")); // older documents of Office

    private PlainText() {}

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Returns whether content is a document or database by its first bytes. Most of its text may be packed.
    static boolean isDocument(byte[] bytes) {
        return DOCUMENTS.stream()
                .anyMatch(start ->
                        bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length));
    }

    /// Decodes the beginning of a file; empty if it is not text. The last character may be cut.
    static Optional<String> decode(byte[] bytes, int most, FileKind kind) {
        int length = Math.min(most, bytes.length);
        var utf16 = utf16(bytes, length);
        if (utf16.isPresent()) {
            return Optional.of(decoded(bytes, length, utf16.get().newDecoder()));
        }
        String text = decoded(bytes, length, StandardCharsets.UTF_8.newDecoder());
        boolean isText = isNamedText(bytes, kind)
                || text.chars().filter(PlainText::isOdd).count() * 100 <= (long) text.length() * ODD_PERCENT;
        return isText ? Optional.of(text) : Optional.empty();
    }

    /// Decodes the beginning of a file without its NULs, which some shells and agents skip; empty if the rest is not
    /// text, or if there are none.
    static Optional<String> withoutNuls(byte[] bytes, int most, FileKind kind) {
        var rest = new byte[Math.min(most, bytes.length)];
        int length = 0;
        for (int i = 0; i < rest.length; i++) {
            if (bytes[i] != 0) {
                rest[length++] = bytes[i];
            }
        }
        return length == rest.length ? Optional.empty() : decode(Arrays.copyOf(rest, length), most, kind);
    }

    private static String decoded(byte[] bytes, int length, CharsetDecoder decoder) {
        var in = ByteBuffer.wrap(bytes, 0, length);
        var out = CharBuffer.allocate(length);
        decoder.onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE)
                .decode(in, out, false);
        return out.flip().toString();
    }

    /// Returns the kind of UTF-16. A mark alone is not enough: shells and agents read what follows it as UTF-8.
    private static Optional<Charset> utf16(byte[] bytes, int length) {
        int zeros = 0;
        for (int i = 0; i < length; i++) {
            zeros += bytes[i] == 0 ? 1 : 0;
        }
        if (length < 2 || zeros * 100L < (long) length * NUL_PERCENT) {
            return Optional.empty();
        }
        int mark = (bytes[0] & 0xFF) << 8 | bytes[1] & 0xFF;
        return mark == 0xFEFF
                ? Optional.of(StandardCharsets.UTF_16BE)
                : mark == 0xFFFE ? Optional.of(StandardCharsets.UTF_16LE) : Optional.empty();
    }

    /// Returns whether most shells do not take the file for a script: its first line has a NUL, for which they look.
    static boolean isProgramData(byte[] beginning) {
        for (byte one : beginning) {
            if (one == 0 || one == '\n') {
                return one == 0;
            }
        }
        return false;
    }

    /// Returns whether a program would read the file as text whatever its bytes are.
    private static boolean isNamedText(byte[] bytes, FileKind kind) {
        return ProgramFormat.of(bytes).isEmpty()
                && (kind.interpreter() != null
                        || kind.isMarkdown() && !kind.isBare()
                        || bytes.length > 1 && bytes[0] == '#' && bytes[1] == '!');
    }

    private static boolean isOdd(int c) {
        return c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1B || c == 0x7F || c == '\uFFFD';
    }

    /// Returns the text with as many lines, without characters that nobody sees, and with ASCII for what only looks
    /// different.
    static String plain(String text) {
        if (text.chars().allMatch(c -> c > 0 && c < 0x80)) {
            return text;
        }
        var plain = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c > 0 && c < 0x80) {
                plain.append((char) c);
            } else if (Character.isSpaceChar(c) || c == 0x85) {
                plain.append(' ');
            } else if (!isInvisible(c)) {
                plain.appendCodePoint(isStyled(c) ? unstyled(c) : c);
            }
        });
        return plain.toString();
    }

    private static boolean isInvisible(int c) {
        return c == 0
                || Character.getType(c) == Character.FORMAT
                || c == 0x034F
                || c == 0x115F
                || c == 0x1160
                || c == 0x3164
                || c == 0xFFA0
                || c >= 0x17B4 && c <= 0x17B5
                || c >= 0x180B && c <= 0x180F
                || c >= 0xFE00 && c <= 0xFE0F
                || c >= 0xE0000 && c <= 0xE01EF;
    }

    /// Returns whether it may be a letter in another style: letterlike, in a circle, mathematical or of full width.
    private static boolean isStyled(int c) {
        return c >= 0x2100 && c <= 0x214F
                || c >= 0x24B6 && c <= 0x24E9
                || c >= 0xFF01 && c <= 0xFF5E
                || c >= 0x1D400 && c <= 0x1D7FF;
    }

    private static int unstyled(int c) {
        String letter = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKC);
        return letter.length() == 1 ? letter.charAt(0) : c;
    }
}
