package dev.sheaf.server.console.work;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A field for a period in days.
public final class PeriodField {
    private static final Pattern DAYS = Pattern.compile("[0-9]{1,6}");
    private static final Pattern WHOLE_DAYS = Pattern.compile("P[0-9]{1,6}D");

    private PeriodField() {}

    /// Returns the period for the API: a bare number means days, everything else is passed on as it is.
    public static @Nullable String period(String typed) {
        String text = typed.strip();
        return text.isEmpty() ? null : DAYS.matcher(text).matches() ? "P" + text + "D" : text;
    }

    /// Returns the text of the field for a period.
    public static String days(@Nullable String period) {
        if (period == null) {
            return "";
        }
        return WHOLE_DAYS.matcher(period).matches() ? period.substring(1, period.length() - 1) : period;
    }
}
