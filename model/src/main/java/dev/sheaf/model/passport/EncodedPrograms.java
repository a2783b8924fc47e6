package dev.sheaf.model.passport;

import dev.sheaf.model.text.ScanEffort;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds long texts in base64 that are programs.
final class EncodedPrograms {
    private static final int SHORTEST = 80;
    private static final int LINE = 60; // the encoding may go on in the next line after so many characters
    private static final int DECODED = 64 << 10; // characters that are decoded
    private static final int PRICE = 20; // of a decoded character
    private static final int TEXT_PERCENT = 95;

    private static final String[] SIGNS = {
        "#!/",
        "/bin/sh",
        "/bin/bash",
        "curl ",
        "wget ",
        "eval(",
        "exec(",
        "import os",
        "subprocess",
        "os.system",
        "powershell",
        "invoke-",
        "iex ",
        "child_process",
        "socket.",
        "net.webclient",
        "base64 -d",
        "chmod +x"
    };

    private EncodedPrograms() {}

    /// Receives what was found.
    interface Finder {
        /// @param at the offset in the text
        /// @param what the beginning of the program
        void found(int at, String what);
    }

    static void find(String text, ScanEffort effort, Runnable step, Finder finder) {
        int at = 0;
        while (at < text.length() && !effort.isSpent()) {
            if (!isBase64(text.charAt(at))) {
                at++;
                continue;
            }
            int end = end(text, at);
            if (end - at >= SHORTEST) {
                step.run();
                int from = at;
                int to = Math.min(end, at + DECODED);
                effort.spend((long) PRICE * (to - from));
                program(text.substring(from, to)).ifPresent(what -> finder.found(from, what));
            }
            at = end;
        }
    }

    private static int end(String text, int from) {
        int end = from;
        int line = from;
        while (end < text.length()) {
            char c = text.charAt(end);
            if (c == '\n' && end - line >= LINE && end + 1 < text.length() && isBase64(text.charAt(end + 1))) {
                line = end + 1;
            } else if (!isBase64(c)) {
                break;
            }
            end++;
        }
        return end;
    }

    private static boolean isBase64(char c) {
        return c >= 'A' && c <= 'Z'
                || c >= 'a' && c <= 'z'
                || c >= '0' && c <= '9'
                || c == '+'
                || c == '/'
                || c == '='
                || c == '-'
                || c == '_';
    }

    private static Optional<String> program(String encoded) {
        String plain =
                encoded.replace("\n", "").replace("=", "").replace('-', '+').replace('_', '/');
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(plain.substring(0, plain.length() / 4 * 4));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        // PowerShell encodes UTF-16
        String decoded = new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", "");
        long readable = decoded.chars()
                .filter(c -> c >= 0x20 && c < 0x7F || c == '\n' || c == '\r' || c == '\t')
                .count();
        String lower = decoded.toLowerCase(Locale.ROOT);
        return readable * 100 >= (long) decoded.length() * TEXT_PERCENT
                        && Stream.of(SIGNS).anyMatch(lower::contains)
                ? Optional.of(decoded)
                : Optional.empty();
    }
}
