package dev.sheaf.cli.terminal;

import dev.sheaf.client.io.ByteSizes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Formats values for people.
public final class TextFormat {
    private static final Pattern UNSHOWABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029]+");
    private static final Pattern ID = Pattern.compile("^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-([0-9a-f]{12})$");
    private static final Pattern DIGEST = Pattern.compile("(sha(?:256|512):[0-9a-f]{12})[0-9a-f]{52,}");
    private static final Pattern TIME = Pattern.compile("^[0-9]{4}-([0-9-]{5})T([0-9:]{8})Z$");
    private static final int HALF_WIDTH = 0xff61;
    private static final int HALF_WIDTH_END = 0xffdc;
    private static final Pattern UNSHOWABLE_BUT_TAB =
            Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029&&[^\t]]+");

    private static final List<ChronoUnit> PERIOD_UNITS = List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES);

    private TextFormat() {}

    /// Replaces control characters in text from outside, which could drive a terminal.
    public static String showable(String text) {
        return UNSHOWABLE.matcher(text).replaceAll(" ");
    }

    /// Cuts a text to this many columns, and ends it with a mark if something is left out.
    public static String cut(String text, int most) {
        String whole = showable(text);
        if (width(whole) <= most) {
            return whole;
        }
        int end = 0;
        for (int room = most - 1 - width(whole.codePointAt(0)); room >= 0 && end < whole.length(); ) {
            end += Character.charCount(whole.codePointAt(end));
            room -= end < whole.length() ? width(whole.codePointAt(end)) : 0;
        }
        return whole.substring(0, end).stripTrailing() + "…";
    }

    /// Returns how many columns of a terminal a text takes: most characters one, Chinese, Japanese and Korean
    /// characters and most emoji two, combining marks none.
    public static int width(String text) {
        return text.codePoints().map(TextFormat::width).sum();
    }

    private static int width(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
            default -> character > 0xff && isWide(character) ? 2 : 1;
        };
    }

    private static boolean isWide(int character) {
        return Character.isIdeographic(character)
                || Character.isEmojiPresentation(character)
                || switch (Character.UnicodeScript.of(character)) {
                    case HANGUL, HIRAGANA, KATAKANA -> character < HALF_WIDTH || character > HALF_WIDTH_END;
                    default -> isWideForm(character);
                };
    }

    /// Returns whether this is East Asian punctuation, or a letter in its wide form.
    private static boolean isWideForm(int character) {
        return character >= 0x3000 && character <= 0x303e
                || character >= 0xff01 && character <= 0xff60
                || character >= 0xffe0 && character <= 0xffe6;
    }

    /// Like [#showable], but keeps tabs, for a line of a file.
    public static String showableLine(String line) {
        return UNSHOWABLE_BUT_TAB.matcher(line).replaceAll(" ");
    }

    /// Shortens digests: `sha256:0123456789ab…`.
    public static String withShortDigests(String text) {
        return DIGEST.matcher(text).replaceAll("$1…");
    }

    /// Shortens an id to its end: `…3f9c12ab77de`. Commands accept that as the id. Returns other text
    /// unchanged.
    public static String withShortId(String text) {
        return ID.matcher(text).replaceFirst("…$1");
    }

    /// Removes the year of a time: `11-23 07:25:23`. Returns other text unchanged.
    public static String withShortTime(String text) {
        return TIME.matcher(text).replaceFirst("$1 $2");
    }

    /// Formats a time to the second, in UTC; `-` for null.
    public static String time(@Nullable Instant time) {
        return time == null ? "-" : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// Appends a replacement to a message: `it breaks; use 1.2.3`.
    public static String withReplacement(String message, @Nullable String replacement) {
        return replacement == null ? message : message.replaceFirst("[.;,\\s]+$", "") + "; use " + replacement;
    }

    /// Formats a period in its largest whole unit: `1 hour`, `90 minutes`.
    public static String period(Duration period) {
        long seconds = period.toSeconds();
        for (var unit : PERIOD_UNITS) {
            long length = unit.getDuration().toSeconds();
            if (seconds != 0 && seconds % length == 0) {
                String name = unit.toString().toLowerCase(Locale.ROOT);
                return count(seconds / length, name.substring(0, name.length() - 1));
            }
        }
        return count(seconds, "second");
    }

    /// Formats a number with a noun: `1 file`, `2 files`.
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /// Formats a number of bytes: `512 B`, `1.5 KiB`.
    public static String size(long bytes) {
        return ByteSizes.text(bytes);
    }
}
