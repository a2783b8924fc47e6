package dev.sheaf.model.text;

import java.util.Optional;

/// Recognizes characters that are invisible to a reader, or that change what a reader sees.
///
/// Bidirectional controls (U+202A to U+202E, U+2066 to U+2069; CVE-2021-42574, "Trojan Source") make code look
/// like other code. Invisible characters hide text from people but not from programs: U+00AD, U+034F, U+061C,
/// U+115F, U+1160, U+17B4, U+17B5, U+180E, U+200B to U+200F, U+2060 to U+2064, U+206A to U+206F, U+3164, U+FEFF
/// after the first character, U+FFA0, U+FFF9 to U+FFFB, tags (U+E0000 to U+E007F) and variation selectors 17 to
/// 256. Joiners (U+200C, U+200D) count only between Latin letters, and tags only outside of flags: scripts and
/// emoji need them elsewhere. Control characters other than tab and line ends can rewrite a terminal.
public final class HiddenText {
    private static final int BLACK_FLAG = 0x1F3F4;
    private static final int LATIN_END = 0x250;

    private HiddenText() {}

    /// The kind of such a character.
    public enum Kind {
        REPLACEMENT,
        NUL,
        CONTROL,
        BIDIRECTIONAL,
        INVISIBLE
    }

    /// Receives the characters that were found.
    public interface Finder {
        /// @param at the offset of the character
        /// @param line its line, from 1
        void found(Kind kind, int c, int at, int line);
    }

    /// Finds all such characters, in time proportional to the text.
    public static void find(String text, Finder finder) {
        int line = 1;
        int previous = -1;
        boolean flag = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            flag = c == BLACK_FLAG || flag && isTag(c);
            if (c < 0x20 || c >= 0x7F) {
                int at = i;
                int here = line;
                int found = c;
                kind(c, previous, flag).ifPresent(kind -> finder.found(kind, found, at, here));
            }
            if (c == '\n') {
                line++;
            }
            previous = c;
            i += Character.charCount(c);
        }
    }

    private static Optional<Kind> kind(int c, int previous, boolean flag) {
        if (c == '\uFFFD') {
            return Optional.of(Kind.REPLACEMENT);
        }
        if (c == 0) {
            return Optional.of(Kind.NUL);
        }
        if (c < 0x20 || c >= 0x7F && c <= 0x9F) {
            return isLayout(c) ? Optional.empty() : Optional.of(Kind.CONTROL);
        }
        if (c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069) {
            return Optional.of(Kind.BIDIRECTIONAL);
        }
        return isInvisible(c, previous, flag) ? Optional.of(Kind.INVISIBLE) : Optional.empty();
    }

    private static boolean isLayout(int c) {
        return c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == 0x85;
    }

    /// Returns whether a character is a tag that stands for a letter of ASCII.
    public static boolean isTag(int c) {
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
            default -> c >= 0x2060 && c <= 0x2064 || c >= 0x206A && c <= 0x206F || c >= 0xFFF9 && c <= 0xFFFB;
        };
    }
}
