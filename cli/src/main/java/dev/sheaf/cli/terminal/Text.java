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
    private static final Pattern UNSHOWABLE_BUT_TAB =
            Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029&&[^\t]]+");

    private Text() {}

    /// What came from outside, without the characters that would drive a terminal.
    public static String showable(String text) {
        return UNSHOWABLE.matcher(text).replaceAll(" ");
    }

    /// The first `most` characters, with a mark where more is left out.
    public static String cut(String text, int most) {
        String whole = showable(text);
        return whole.codePointCount(0, whole.length()) <= most
                ? whole
                : whole.substring(0, whole.offsetByCodePoints(0, most - 1)).stripTrailing() + "…";
    }

    /// [#showable] of a line of a file: tabs stay.
    public static String showableLine(String line) {
        return UNSHOWABLE_BUT_TAB.matcher(line).replaceAll(" ");
    }

    /// The text with its digests shortened to what tells them apart: `sha256:0123456789ab…`.
    public static String withShortDigests(String text) {
        return DIGEST.matcher(text).replaceAll("$1…");
    }

    /// An id with its end alone, which tells ids apart: `…3f9c12ab77de`. Commands take that for the id. What is no id
    /// stays.
    public static String withShortId(String text) {
        return ID.matcher(text).replaceFirst("…$1");
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
