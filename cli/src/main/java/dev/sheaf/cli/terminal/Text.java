package dev.sheaf.cli.terminal;

import dev.sheaf.client.io.Bytes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How things are written for people.
public final class Text {
    private static final Pattern UNSHOWABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029]+");
    private static final Pattern ID = Pattern.compile("^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-([0-9a-f]{12})$");
    private static final Pattern DIGEST = Pattern.compile("(sha(?:256|512):[0-9a-f]{12})[0-9a-f]{52,}");
    private static final Pattern TIME = Pattern.compile("^[0-9]{4}-([0-9-]{5})T([0-9:]{8})Z$");
    private static final int HALF_WIDTH = 0xff61;
    private static final int HALF_WIDTH_END = 0xffdc;
    private static final Pattern UNSHOWABLE_BUT_TAB =
            Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029&&[^\t]]+");

    private Text() {}

    /// What came from outside, without the characters that would drive a terminal.
    public static String showable(String text) {
        return UNSHOWABLE.matcher(text).replaceAll(" ");
    }

    /// What fits into so many columns, with a mark where more is left out.
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

    /// How many columns of a terminal a text takes: most characters one, those of Chinese, Japanese and Korean
    /// and most emoji two, marks that stand on another character none.
    public static int width(String text) {
        return text.codePoints().map(Text::width).sum();
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

    /// Signs of East Asian writing, and letters in their wide form.
    private static boolean isWideForm(int character) {
        return character >= 0x3000 && character <= 0x303e
                || character >= 0xff01 && character <= 0xff60
                || character >= 0xffe0 && character <= 0xffe6;
    }

    /// [#showable] of a line of a file: tabs stay.
    public static String showableLine(String line) {
        return UNSHOWABLE_BUT_TAB.matcher(line).replaceAll(" ");
    }

    /// The text with its digests shortened to what tells them apart: `sha256:0123456789ab…`.
    public static String withShortDigests(String text) {
        return DIGEST.matcher(text).replaceAll("$1…");
    }

    /// An id with its end alone, which tells ids apart: `…3f9c12ab77de`. Commands take that for the id. What is
    /// no id stays.
    public static String withShortId(String text) {
        return ID.matcher(text).replaceFirst("…$1");
    }

    /// A time without its year, `11-23 07:25:23`: what is left of one where a line is short. What is no time stays.
    public static String withShortTime(String text) {
        return TIME.matcher(text).replaceFirst("$1 $2");
    }

    /// A time to the second, in UTC; `-` where there is none.
    public static String time(@Nullable Instant time) {
        return time == null ? "-" : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// What somebody wrote, and what to use instead: `it breaks; use 1.2.3`.
    public static String withReplacement(String message, @Nullable String replacement) {
        return replacement == null ? message : message.replaceFirst("[.;,\\s]+$", "") + "; use " + replacement;
    }

    /// `1 file`, `2 files`.
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /// `512 B`, `1.5 KiB`.
    public static String size(long bytes) {
        return Bytes.text(bytes);
    }
}
