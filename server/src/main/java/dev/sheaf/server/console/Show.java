package dev.sheaf.server.console;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How values look on pages.
public final class Show {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter EXACT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final long KIB = 1024;

    private Show() {}

    /// A moment to the minute in the reader's time zone, such as `4 Jul 2026, 14:05 UTC+02:00`.
    public static String time(Instant at) {
        var there = at.atZone(ReaderZone.get());
        boolean isUtc = there.getOffset().equals(ZoneOffset.UTC);
        return TIME.format(there) + (isUtc ? " UTC" : " UTC" + there.getOffset());
    }

    /// The same for a page about one thing, with the exact moment in UTC behind it where the reader's zone is another.
    public static String full(Instant at) {
        return ReaderZone.isUtc() ? exact(at) : time(at) + " (" + exact(at) + ")";
    }

    /// A moment to the second, in UTC.
    public static String exact(Instant at) {
        return EXACT.format(at.truncatedTo(ChronoUnit.SECONDS));
    }

    /// A number of bytes in the largest unit that it has one of.
    public static String size(long bytes) {
        if (bytes < KIB) {
            return bytes + " B";
        }
        double rest = bytes;
        String unit = "B";
        for (String next : new String[] {"KiB", "MiB", "GiB", "TiB"}) {
            if (rest < KIB) {
                break;
            }
            rest /= KIB;
            unit = next;
        }
        return String.format(Locale.ENGLISH, rest < 10 ? "%.1f %s" : "%.0f %s", rest, unit);
    }

    /// A number with its thousands apart.
    public static String number(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    /// `1 file`, `2 files`.
    public static String count(long number, String one, String many) {
        return number(number) + " " + (number == 1 ? one : many);
    }

    /// The value of `aria-current` for where one is; null: elsewhere.
    public static @Nullable String current(boolean here) {
        return here ? "page" : null;
    }

    /// A text on one line whose hidden and bidirectional characters are written out, such as `U+202E`.
    public static String visible(@Nullable String text) {
        var shown = new StringBuilder();
        text(text).codePoints().forEach(c -> {
            if (Character.isWhitespace(c)) {
                shown.append(' ');
            } else if (isHidden(c)) {
                shown.append(String.format("\u2039U+%04X\u203a", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /// Whether a character shows nothing, or changes the order of others: what may make a text read differently from
    /// what it says.
    public static boolean isHidden(int c) {
        int type = Character.getType(c);
        return type == Character.FORMAT && c != 0x200D && c != 0x200C
                || type == Character.CONTROL && c != '\n' && c != '\t' && c != '\r'
                || c >= 0xE0000 && c <= 0xE0FFF
                || c == 0x115F
                || c == 0x1160
                || c == 0x3164
                || c == 0xFFA0;
    }

    /// An empty text for null.
    public static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
