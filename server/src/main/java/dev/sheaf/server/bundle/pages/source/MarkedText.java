package dev.sheaf.server.bundle.pages.source;

import dev.sheaf.model.key.SecretScan;
import dev.sheaf.server.bundle.check.TextChecks;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/// A text with the places of hidden characters, probable secrets and changes. Not thread-safe.
public final class MarkedText {
    private static final int SHOWN = 8; // number of shown characters of a secret
    private static final char NEXT_LINE = '\u2028';
    private static final char NEXT_PARAGRAPH = '\u2029';

    private final String text;
    private final BitSet changed = new BitSet();
    private final BitSet hidden;
    private final BitSet secret = new BitSet();
    private final BitSet covered = new BitSet();
    private final List<SecretScan.Found> secrets = new ArrayList<>();

    private MarkedText(String text) {
        this.text = text;
        this.hidden = hidden(text);
        SecretScan.findAll(text, found -> {
            secret.set(found.from(), found.to());
            covered.set(Math.min(found.to(), found.from() + SHOWN), found.to());
            secrets.add(found);
        });
    }

    public static MarkedText of(String text) {
        return new MarkedText(text);
    }

    /// Returns the positions of the hidden characters of the content checks, and of characters that browsers
    /// wrongly take for the end of a line.
    private static BitSet hidden(String text) {
        var found = TextChecks.hidden(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean lone = c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n');
            if (lone || c == '\f' || c == NEXT_LINE || c == NEXT_PARAGRAPH) {
                found.set(i);
            }
        }
        return found;
    }

    public String text() {
        return text;
    }

    /// Marks the changed part of a line.
    public void change(int from, int to) {
        changed.set(from, to);
    }

    boolean isChanged(int at) {
        return changed.get(at);
    }

    public boolean isHidden(int at) {
        return hidden.get(at);
    }

    boolean isSecret(int at) {
        return secret.get(at);
    }

    boolean isCovered(int at) {
        return covered.get(at);
    }

    /// Returns the position of the next hidden character; negative if there is none.
    public int nextHidden(int from) {
        return hidden.nextSetBit(from);
    }

    public List<SecretScan.Found> secrets() {
        return List.copyOf(secrets);
    }

    /// Returns the number of a character, such as `U+202E`.
    public static String code(int c) {
        String digits = Integer.toHexString(c).toUpperCase(Locale.ROOT);
        return "U+" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }

    /// Returns the number of a character with its name.
    public static String name(int c) {
        String name = Character.getName(c);
        return code(c) + (name == null ? "" : " (" + name.toLowerCase(Locale.ROOT) + ")");
    }

    /// Returns the text with hidden characters written out and secrets cut after their beginning.
    public String plainly() {
        var plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (covered.get(i)) {
                plain.append(text.charAt(i) == '\n' ? '\n' : '\u25CF');
            } else if (hidden.get(i)) {
                int c = text.codePointAt(i);
                plain.append('\u2039').append(code(c)).append('\u203A');
                i += Character.charCount(c) - 1;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }
}
