package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.text.LineNumbers;
import dev.sheaf.server.bundle.pages.source.MarkedText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/// A line of a file with hidden characters or a probable secret.
///
/// @param what describes the characters or the secret
public record LineFinding(int line, String what, boolean isSecret) {
    private static final int SHOWN = 8; // maximum number of lines of each kind
    private static final int CHARACTERS = 4; // maximum number of characters of a line

    /// The shown findings of a text.
    ///
    /// @param hidden the number of hidden characters in the whole text
    /// @param more whether lines with hidden characters or secrets are not shown
    public record All(List<LineFinding> shown, int hidden, int secrets, boolean more) {
        public All {
            shown = List.copyOf(shown);
        }
    }

    static All of(MarkedText marked, Budget budget) {
        var found = new ArrayList<LineFinding>();
        String text = marked.text();
        var lines = new LineNumbers(text);
        int hidden = 0;
        int line = 1;
        var ofLine = new LinkedHashSet<Integer>();
        boolean more = false;
        for (int at = marked.nextHidden(0); at >= 0; at = marked.nextHidden(at + 1)) {
            budget.check();
            hidden++;
            int c = text.codePointAt(at);
            if (!more) {
                int before = line;
                line = lines.of(at);
                if (line != before && !ofLine.isEmpty()) {
                    more = !add(found, before, ofLine);
                }
                if (ofLine.size() < CHARACTERS) {
                    ofLine.add(c);
                }
            }
            at += Character.charCount(c) - 1;
        }
        if (!ofLine.isEmpty()) {
            more |= !add(found, line, ofLine);
        }
        var secrets = marked.secrets();
        secrets.stream()
                .limit(SHOWN)
                .forEach(secret -> found.add(new LineFinding(secret.line(), "what looks like " + secret.what(), true)));
        return new All(found, hidden, secrets.size(), more || secrets.size() > SHOWN);
    }

    private static boolean add(List<LineFinding> found, int line, LinkedHashSet<Integer> characters) {
        boolean room = found.size() < SHOWN;
        if (room) {
            found.add(new LineFinding(
                    line, characters.stream().map(MarkedText::name).collect(Collectors.joining(", ")), false));
        }
        characters.clear();
        return room;
    }
}
