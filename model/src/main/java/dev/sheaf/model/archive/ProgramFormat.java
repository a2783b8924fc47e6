package dev.sheaf.model.archive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Recognizes compiled programs by their first bytes.
public final class ProgramFormat {
    private static final int MZ_HEADER = 64;
    private static final int PE_OFFSET = 0x3C;
    private static final int JAVA_MAJOR_MIN = 45;

    private ProgramFormat() {}

    /// Returns what content is if it begins like a compiled program, such as `a program for Linux (ELF)`.
    public static Optional<String> of(byte[] bytes) {
        if (startsWith(bytes, "\u007FELF")) {
            return Optional.of("a program for Linux (ELF)");
        }
        if (isPortableExecutable(bytes)) {
            return Optional.of("a program for Windows (PE)");
        }
        if (bytes.length < 8) {
            return Optional.empty();
        }
        int magic = ByteBuffer.wrap(bytes).getInt();
        if (magic == 0xFEEDFACE || magic == 0xFEEDFACF || magic == 0xCEFAEDFE || magic == 0xCFFAEDFE) {
            return Optional.of("a program for macOS (Mach-O)");
        }
        // a Mach-O file continues with the number of architectures, a class file with a version of 45 or more
        if (magic == 0xCAFEBABE) {
            return Optional.of(
                    ByteBuffer.wrap(bytes).getInt(4) < JAVA_MAJOR_MIN
                            ? "a program for macOS (Mach-O, universal)"
                            : "compiled Java");
        }
        return Optional.empty();
    }

    private static boolean isPortableExecutable(byte[] bytes) {
        if (!startsWith(bytes, "MZ") || bytes.length < MZ_HEADER) {
            return false;
        }
        int header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(PE_OFFSET);
        return header >= 0
                && header <= bytes.length - 4
                && bytes[header] == 'P'
                && bytes[header + 1] == 'E'
                && bytes[header + 2] == 0
                && bytes[header + 3] == 0;
    }

    private static boolean startsWith(byte[] bytes, String signature) {
        byte[] start = signature.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }
}
