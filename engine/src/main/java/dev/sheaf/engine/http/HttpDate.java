package dev.sheaf.engine.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// The header Date, rendered once a second. Thread-safe.
final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static volatile Second current = new Second(0, "");

    private record Second(long number, String text) {}

    private HttpDate() {}

    static String now() {
        long now = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        var second = current;
        if (second.number != now) {
            second = new Second(now, FORMAT.format(Instant.ofEpochSecond(now)));
            current = second;
        }
        return second.text;
    }
}
