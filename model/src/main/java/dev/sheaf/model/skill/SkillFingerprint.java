package dev.sheaf.model.skill;

import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The fingerprint by which ClawHub's client recognizes an installed skill: of its files' paths and hashes, without
/// hidden files, in the order in which JavaScript compares paths.
public final class SkillFingerprint {
    /// ASCII in the order of CLDR's root collation. Upper case follows lower case.
    private static final String ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

    private static final Comparator<String> IN_ORDER = Comparator.comparing(SkillFingerprint::letters, Arrays::compare)
            .thenComparing(Comparator.reverseOrder()); // upper case is first in ASCII

    private SkillFingerprint() {}

    private static int[] letters(String path) {
        return path.toLowerCase(Locale.ROOT).chars().map(ORDER::indexOf).toArray();
    }

    /// Returns the fingerprint in hexadecimal. Empty if it cannot be known: the client follows ignore files, and has an
    /// order for letters beyond ASCII.
    ///
    /// @param files the digests of the skill's files by their paths within the skill
    public static Optional<String> of(Map<String, Digest> files) {
        var seen = new TreeMap<String, String>(IN_ORDER);
        for (var file : files.entrySet()) {
            String path = file.getKey();
            if (!path.chars().allMatch(c -> c < 0x7f)
                    || file.getValue().algorithm() != Digest.Algorithm.SHA256
                    || path.equals(".gitignore")
                    || path.equals(".clawhubignore")) {
                return Optional.empty();
            }
            if (Arrays.stream(path.split("/")).noneMatch(part -> part.startsWith(".") || part.equals("node_modules"))) {
                seen.put(path, file.getValue().hex());
            }
        }
        var lines = seen.entrySet().stream()
                .map(file -> file.getKey() + ":" + file.getValue())
                .toList();
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(Digest.sha256(String.join("\n", lines).getBytes(StandardCharsets.UTF_8))
                        .hex());
    }
}
