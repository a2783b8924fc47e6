package dev.sheaf.model.skill;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// A path, split into the two fields of a tar header (POSIX.1-1988, ustar): at most 155 bytes before a slash,
/// and at most 100 after it.
public final class UstarName {
    private static final int MAX_NAME = 100;
    private static final int MAX_PREFIX = 155;

    private final byte[] prefix;
    private final byte[] name;

    private UstarName(byte[] prefix, byte[] name) {
        this.prefix = prefix;
        this.name = name;
    }

    /// Splits a path; empty if it does not fit.
    public static Optional<UstarName> of(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_NAME) {
            return Optional.of(new UstarName(new byte[0], bytes));
        }
        for (int slash = Math.max(1, bytes.length - MAX_NAME - 1); slash < bytes.length - 1; slash++) {
            if (bytes[slash] == '/' && slash <= MAX_PREFIX) {
                return Optional.of(
                        new UstarName(Arrays.copyOf(bytes, slash), Arrays.copyOfRange(bytes, slash + 1, bytes.length)));
            }
        }
        return Optional.empty();
    }

    /// Writes both parts into a header of 512 bytes.
    public void writeTo(byte[] header) {
        System.arraycopy(name, 0, header, 0, name.length);
        System.arraycopy(prefix, 0, header, 345, prefix.length);
    }
}
