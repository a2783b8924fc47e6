package dev.sheaf.server.console.files;

import dev.sheaf.server.console.source.Painted;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/// A line of a file that does not read as it is written, or that holds a probable secret.
///
/// @param what it holds
public record Finding(int line, String what, boolean isSecret) {
    private static final int SHOWN = 8; // lines of each kind
    private static final int CHARACTERS = 4; // of a line

    /// All that is shown of a text's.
    ///
    /// @param hidden characters in the whole text
    /// @param more lines with hidden characters or secrets than are shown
    public record All(List<Finding> shown, int hidden, int secrets, boolean more) {
        public All {
            shown = List.copyOf(shown);
        }
    }

    static All of(Painted painted) {
        var found = new ArrayList<Finding>();
        String text = painted.text();
        int hidden = 0;
        int line = 1;
        int counted = 0;
        var ofLine = new LinkedHashSet<Integer>();
        boolean more = false;
        for (int at = painted.nextHidden(0); at >= 0; at = painted.nextHidden(at + 1)) {
            int before = line;
            for (int feed = text.indexOf('\n', counted); feed >= 0 && feed < at; feed = text.indexOf('\n', counted)) {
                line++;
                counted = feed + 1;
            }
            if (line != before && !ofLine.isEmpty()) {
                more |= !add(found, before, ofLine);
            }
            hidden++;
            int c = text.codePointAt(at);
            if (ofLine.size() < CHARACTERS) {
                ofLine.add(c);
            }
            at += Character.charCount(c) - 1;
        }
        if (!ofLine.isEmpty()) {
            more |= !add(found, line, ofLine);
        }
        var secrets = painted.secrets();
        secrets.stream()
                .limit(SHOWN)
                .forEach(secret -> found.add(new Finding(secret.line(), "what looks like " + secret.what(), true)));
        return new All(found, hidden, secrets.size(), more || secrets.size() > SHOWN);
    }

    private static boolean add(List<Finding> found, int line, LinkedHashSet<Integer> characters) {
        boolean room = found.size() < SHOWN;
        if (room) {
            found.add(
                    new Finding(line, characters.stream().map(Painted::name).collect(Collectors.joining(", ")), false));
        }
        characters.clear();
        return room;
    }
}
