package dev.sheaf.client.io;

/// Formats sizes for people.
public final class ByteSizes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private ByteSizes() {}

    /// Returns text such as `381.5 MiB`.
    public static String text(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        long tenths = Math.round(value * 10); // without a Formatter, which loads the formats of all numbers and dates
        return unit == 0 ? bytes + " B" : tenths / 10 + "." + tenths % 10 + " " + UNITS[unit];
    }
}
