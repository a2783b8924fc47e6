package dev.sheaf.cli.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the name of this machine without DNS, which Java would ask and which may take seconds.
final class HostName {
    private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");
    private static final int LONGEST = 64;

    private HostName() {}

    /// Returns the name; null if it is unknown or invalid.
    static @Nullable String of(Map<String, String> environment) {
        return Stream.of(
                        environment.getOrDefault("HOSTNAME", ""),
                        environment.getOrDefault("COMPUTERNAME", ""),
                        kernel())
                .filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0," + (LONGEST - 1) + "}"))
                .findFirst()
                .orElse(null);
    }

    private static String kernel() {
        try {
            return Files.readString(KERNEL).strip();
        } catch (IOException e) {
            return ""; // only Linux has it
        }
    }
}
