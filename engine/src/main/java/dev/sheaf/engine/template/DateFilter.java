package dev.sheaf.engine.template;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The filter `date`, with the formats of strftime. Names are English. A time without a time zone is in UTC.
final class DateFilter {
    private static final int MOST_WIDTH = 2; // digits of a width
    private static final DateTimeFormatter WITH_SPACE = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .appendLiteral(' ')
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHMM", "Z")
            .optionalEnd()
            .toFormatter(Locale.ROOT);

    private DateFilter() {}

    static @Nullable Object date(Filter.Given given) {
        String format = given.text(0);
        if (given.value() == null || format.isEmpty()) {
            return given.value();
        }
        try {
            return formatted(read(given), format, given);
        } catch (DateTimeException | ArithmeticException e) {
            throw given.failure("cannot read \"" + TagWords.shorten(given.text())
                    + "\"; use seconds since 1970, now, 2026-11-23 or 2026-11-23T10:00:00Z");
        }
    }

    private static OffsetDateTime read(Filter.Given given) {
        if (given.value() instanceof Long seconds) {
            return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
        }
        String text = given.text().trim();
        if (text.equals("now") || text.equals("today")) {
            return given.rendering().clock().instant().atOffset(ZoneOffset.UTC);
        }
        if (!text.isEmpty() && text.chars().allMatch(c -> TagWords.isDigit((char) c))) {
            return Instant.ofEpochSecond(NumberFilters.integer(text, "date", given.rendering()))
                    .atOffset(ZoneOffset.UTC);
        }
        if (text.length() == "2026-11-23".length()) {
            return LocalDate.parse(text).atStartOfDay().atOffset(ZoneOffset.UTC);
        }
        var formatter = text.indexOf(' ') > 0 ? WITH_SPACE : DateTimeFormatter.ISO_DATE_TIME;
        var read = formatter.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return read instanceof OffsetDateTime time ? time : ((LocalDateTime) read).atOffset(ZoneOffset.UTC);
    }

    private static String formatted(OffsetDateTime time, String format, Filter.Given given) {
        var out = new BoundedText("a date", given.rendering());
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c != '%' || i + 1 == format.length()) {
                out.add(c);
                continue;
            }
            int from = i++;
            while (i < format.length() && "-0^_#:".indexOf(format.charAt(i)) >= 0) {
                i++;
            }
            int width = i;
            while (i < format.length() && TagWords.isDigit(format.charAt(i))) {
                i++;
            }
            if (i == format.length() || i - width > MOST_WIDTH) {
                throw given.failure("cannot read the format " + TagWords.shorten(format.substring(from)));
            }
            String flags = format.substring(from + 1, width);
            int wide = i > width ? Integer.parseInt(format.substring(width, i)) : -1;
            out.add(new Directive(flags, wide, format.charAt(i)).of(time, given));
        }
        return out.toString();
    }

    /// A `%` directive of a format.
    ///
    /// @param width -1 for the default width
    private record Directive(String flags, int width, char letter) {
        String of(OffsetDateTime time, Filter.Given given) {
            String composed = switch (letter) {
                case 'D', 'x' -> "%m/%d/%y";
                case 'F' -> "%Y-%m-%d";
                case 'T', 'X' -> "%H:%M:%S";
                case 'R' -> "%H:%M";
                case 'r' -> "%I:%M:%S %p";
                case 'c' -> "%a %b %e %H:%M:%S %Y";
                case 'v' -> "%e-%^b-%Y";
                default -> null;
            };
            if (composed != null) {
                return padded(formatted(time, composed, given), ' ', 0);
            }
            String numeric = number(time);
            return numeric != null ? numeric : padded(name(time, given), ' ', 0);
        }

        private @Nullable String number(OffsetDateTime time) {
            return switch (letter) {
                case 'Y' -> number(time.getYear(), '0', 4);
                case 'C' -> number(Math.floorDiv(time.getYear(), 100), '0', 2);
                case 'y' -> number(Math.floorMod(time.getYear(), 100), '0', 2);
                case 'm' -> number(time.getMonthValue(), '0', 2);
                case 'd' -> number(time.getDayOfMonth(), '0', 2);
                case 'e' -> number(time.getDayOfMonth(), ' ', 2);
                case 'j' -> number(time.getDayOfYear(), '0', 3);
                case 'H' -> number(time.getHour(), '0', 2);
                case 'k' -> number(time.getHour(), ' ', 2);
                case 'I' -> number(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), '0', 2);
                case 'l' -> number(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), ' ', 2);
                case 'M' -> number(time.getMinute(), '0', 2);
                case 'S' -> number(time.getSecond(), '0', 2);
                case 's' -> number(time.toEpochSecond(), '0', 1);
                case 'u' -> number(time.getDayOfWeek().getValue(), '0', 1);
                case 'w' -> number(time.getDayOfWeek().getValue() % 7, '0', 1);
                case 'U' ->
                    number((time.getDayOfYear() + 6 - time.getDayOfWeek().getValue() % 7) / 7, '0', 2);
                case 'W' ->
                    number((time.getDayOfYear() + 7 - time.getDayOfWeek().getValue()) / 7, '0', 2);
                case 'V' -> number(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), '0', 2);
                case 'G' -> number(time.get(IsoFields.WEEK_BASED_YEAR), '0', 4);
                case 'g' -> number(time.get(IsoFields.WEEK_BASED_YEAR) % 100, '0', 2);
                default -> null;
            };
        }

        private String name(OffsetDateTime time, Filter.Given given) {
            return switch (letter) {
                case 'A' -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
                case 'a' -> time.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
                case 'B' -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
                case 'b', 'h' -> time.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
                case 'p' -> flags.contains("#") ? half(time).toLowerCase(Locale.ROOT) : half(time);
                case 'P' -> half(time).toLowerCase(Locale.ROOT);
                case 'L' -> String.format("%03d", time.getNano() / 1_000_000);
                case 'N' -> String.format("%09d", time.getNano()).substring(0, width > 0 && width < 9 ? width : 9);
                case 'z' ->
                    DateTimeFormatter.ofPattern(flags.contains(":") ? "xxx" : "xx", Locale.ROOT)
                            .format(time);
                case 'Z' -> time.getOffset().equals(ZoneOffset.UTC) ? "UTC" : "";
                case 'n' -> "\n";
                case 't' -> "\t";
                case '%' -> "%";
                default ->
                    throw given.failure(
                            "does not know %" + TagWords.shown(new TagWords.Word(TagWords.Kind.NAME, "" + letter)));
            };
        }

        private static String half(OffsetDateTime time) {
            return time.getHour() < 12 ? "AM" : "PM";
        }

        private String number(long number, char usual, int usually) {
            if (flags.contains("-")) {
                return Long.toString(number);
            }
            char padding = flags.contains("_") ? ' ' : flags.contains("0") ? '0' : usual;
            return padded(Long.toString(number), padding, usually);
        }

        private String padded(String text, char padding, int usually) {
            String padded =
                    Character.toString(padding).repeat(Math.max(0, (width < 0 ? usually : width) - text.length()))
                            + text;
            return flags.contains("^") || flags.contains("#") && letter != 'p'
                    ? padded.toUpperCase(Locale.ROOT)
                    : padded;
        }
    }
}
