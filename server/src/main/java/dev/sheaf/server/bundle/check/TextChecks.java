package dev.sheaf.server.bundle.check;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds characters that are invisible to a reader, or that change what a reader sees.
///
/// Bidirectional controls (U+202A to U+202E, U+2066 to U+2069; CVE-2021-42574, "Trojan Source") make code look
/// like other code. Invisible characters hide text from people but not from programs: U+00AD, U+034F, U+061C,
/// U+115F, U+1160, U+17B4, U+17B5, U+180E, U+200B to U+200F, U+2060 to U+2064, U+206A to U+206F, U+3164, U+FEFF
/// after the first character, U+FFA0, U+FFF9 to U+FFFB, tags (U+E0000 to U+E007F) and variation selectors 17 to
/// 256. Joiners (U+200C, U+200D) count only between Latin letters, and tags only outside of flags: scripts and
/// emoji need them elsewhere. Control characters other than tab and line ends can rewrite a terminal.
public final class TextChecks {
    private static final int SHOWN = 5;
    private static final int BLACK_FLAG = 0x1F3F4;
    private static final int LATIN_END = 0x250;

    private enum Kind {
        REPLACEMENT("replacement-character", "a binary file read as text? Send it as contentBase64, or as raw bytes"),
        NUL("nul-character", "is it a binary file?"),
        CONTROL("control-character", "it can change what a terminal shows"),
        BIDIRECTIONAL("bidirectional-control", "the text may look different from what it contains"),
        INVISIBLE("invisible-character", "people do not see it, but programs do");

        private final String code;
        private final String advice;

        Kind(String code, String advice) {
            this.code = code;
            this.advice = advice;
        }
    }

    /// Counts the characters of one kind.
    private static final class Tally {
        private final Map<Integer, Integer> firstLines = new LinkedHashMap<>();
        private int count;

        void add(int c, int line) {
            count++;
            if (firstLines.size() < SHOWN) {
                firstLines.putIfAbsent(c, line);
            }
        }

        String text() {
            var text = new StringBuilder();
            firstLines.forEach((c, line) ->
                    text.append(text.isEmpty() ? "" : ", ").append("U+%04X at line %d".formatted(c, line)));
            return text + (count > firstLines.size() ? " (" + count + " in total)" : "");
        }
    }

    private TextChecks() {}

    /// @param whole true to report every kind. False for content that begins like a binary format: only
    /// replacement characters are reported, which show that a program has read it as text
    static void check(String text, boolean whole, ContentChecks.Findings findings) {
        var tallies = new EnumMap<Kind, Tally>(Kind.class);
        int line = 1;
        int previous = -1;
        boolean flag = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            flag = c == BLACK_FLAG || (flag && isTag(c));
            Kind kind = c < 0x20 || c >= 0x7F ? kind(c, previous, flag) : null;
            if (kind != null) {
                tallies.computeIfAbsent(kind, found -> new Tally()).add(c, line);
            }
            if (c == '\n') {
                line++;
            }
            previous = c;
            i += Character.charCount(c);
        }
        if (!whole) {
            tallies.keySet().retainAll(EnumSet.of(Kind.REPLACEMENT));
        }
        tallies.forEach((kind, tally) -> findings.add(kind.code, "contains " + tally.text() + ": " + kind.advice));
    }

    /// Returns the positions of characters that are invisible or change how the text around them looks.
    public static BitSet hidden(String text) {
        var found = new BitSet();
        int previous = -1;
        boolean flag = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int next = i + Character.charCount(c);
            flag = c == BLACK_FLAG || (flag && isTag(c));
            Kind kind = c < 0x20 || c >= 0x7F ? kind(c, previous, flag) : null;
            if (kind != null && kind != Kind.REPLACEMENT) {
                found.set(i, next);
            }
            previous = c;
            i = next;
        }
        return found;
    }

    private static @Nullable Kind kind(int c, int previous, boolean flag) {
        if (c == '\uFFFD') {
            return Kind.REPLACEMENT;
        }
        if (c == 0) {
            return Kind.NUL;
        }
        if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) {
            return isLayout(c) ? null : Kind.CONTROL;
        }
        if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)) {
            return Kind.BIDIRECTIONAL;
        }
        return isInvisible(c, previous, flag) ? Kind.INVISIBLE : null;
    }

    private static boolean isLayout(int c) {
        return c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == 0x85;
    }

    private static boolean isTag(int c) {
        return c >= 0xE0020 && c <= 0xE007F;
    }

    private static boolean isInvisible(int c, int previous, boolean flag) {
        if (c >= 0xE0000) {
            return c <= 0xE007F ? !(flag && isTag(c)) : c >= 0xE0100 && c <= 0xE01EF;
        }
        return switch (c) {
            case 0x200C, 0x200D -> previous >= 'A' && previous < LATIN_END;
            case 0xFEFF -> previous >= 0;
            case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E -> true;
            case 0x200B, 0x200E, 0x200F, 0x3164, 0xFFA0 -> true;
            default -> (c >= 0x2060 && c <= 0x2064) || (c >= 0x206A && c <= 0x206F) || (c >= 0xFFF9 && c <= 0xFFFB);
        };
    }
}
