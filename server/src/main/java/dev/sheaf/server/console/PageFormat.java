package dev.sheaf.server.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Formats values for pages.
public final class PageFormat {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter EXACT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final long MINUTE = 60; // seconds
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;
    private static final Duration NEAR = Duration.ofDays(3);
    private static final long KIB = 1024;
    private static final int LATIN_END = 0x250;

    private PageFormat() {}

    /// Returns a time to the minute in the reader's time zone, such as `4 Jul 2026, 14:05 UTC+02:00`.
    public static String time(Instant at) {
        var there = at.atZone(ReaderZone.get());
        boolean isUtc = there.getOffset().equals(ZoneOffset.UTC);
        return TIME.format(there) + (isUtc ? " UTC" : " UTC" + there.getOffset());
    }

    /// Returns how long ago a time was, or how soon it will be, in its largest whole unit, such as `3 hours
    /// ago` or `in 2 days`. The smallest unit is a minute, so that a page that is cached for less is not
    /// false.
    public static String relative(Instant at) {
        return relative(at, ReaderZone.now());
    }

    static String relative(Instant at, Instant now) {
        long seconds = Duration.between(at, now).toSeconds();
        if (Math.abs(seconds) < MINUTE) {
            return seconds >= 0 ? "just now" : "in a minute";
        }
        String span = span(Math.abs(seconds), seconds < 0);
        return seconds > 0 ? span + " ago" : "in " + span;
    }

    /// @param isAhead whether a begun unit counts as a whole one, so that a key for 90 days ends in 90 days
    private static String span(long seconds, boolean isAhead) {
        if (seconds < HOUR) {
            return whole(seconds, MINUTE, isAhead, "minute", "minutes");
        }
        if (seconds < 2 * DAY) {
            return whole(seconds, HOUR, isAhead, "hour", "hours");
        }
        if (seconds < 100 * DAY) {
            return whole(seconds, DAY, isAhead, "day", "days");
        }
        return seconds < 2 * YEAR
                ? whole(seconds, YEAR / 12, false, "month", "months")
                : whole(seconds, YEAR, false, "year", "years");
    }

    private static String whole(long seconds, long unit, boolean isUp, String one, String many) {
        return count(isUp ? Math.ceilDiv(seconds, unit) : seconds / unit, one, many);
    }

    /// Returns whether a time is so near that its reader should act: within three days.
    public static boolean isNear(Instant at) {
        return at.isBefore(ReaderZone.now().plus(NEAR));
    }

    /// Returns a time for a detail page, followed by the exact time in UTC if the reader's zone is not UTC.
    public static String full(Instant at) {
        return ReaderZone.isUtc() ? exact(at) : time(at) + " (" + exact(at) + ")";
    }

    /// Returns a time to the second, in UTC.
    public static String exact(Instant at) {
        return EXACT.format(at.truncatedTo(ChronoUnit.SECONDS));
    }

    /// Returns a number of bytes in the largest unit of which it has at least one.
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

    /// Returns a number with separated thousands.
    public static String number(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    /// Returns a number with a noun, such as `1 file` or `2 files`.
    public static String count(long number, String one, String many) {
        return number(number) + " " + (number == 1 ? one : many);
    }

    /// Returns the value of `aria-current` for the current page; null for others.
    public static @Nullable String current(boolean here) {
        return here ? "page" : null;
    }

    /// Returns a text on one line, with hidden and bidirectional characters written out, such as `U+202E`.
    public static String visible(@Nullable String text) {
        var shown = new StringBuilder();
        drawn(text(text)).codePoints().forEach(c -> shown.appendCodePoint(Character.isWhitespace(c) ? ' ' : c));
        return shown.toString();
    }

    /// Returns a text with its lines, and hidden and bidirectional characters written out, such as `U+202E`.
    public static String drawn(String text) {
        var shown = new StringBuilder(text.length());
        int previous = -1;
        for (int i = 0; i < text.length(); i += Character.charCount(previous)) {
            int c = text.codePointAt(i);
            if (isHidden(c) || isJoinedLatin(c, previous)) {
                shown.append(String.format("\u2039U+%04X\u203a", c));
            } else {
                shown.appendCodePoint(c);
            }
            previous = c;
        }
        return shown.toString();
    }

    /// Returns whether a joiner follows a Latin letter, where no language has one. Other scripts and emoji need
    /// joiners.
    static boolean isJoinedLatin(int c, int previous) {
        return (c == 0x200C || c == 0x200D) && previous >= 'A' && previous < LATIN_END;
    }

    /// Returns whether a character is invisible or changes the order of others, so that a text may look
    /// different from what it contains.
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

    /// Returns the value as a string; empty for null.
    public static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
