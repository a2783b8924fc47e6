package dev.sheaf.server.console.source;

import dev.sheaf.model.key.SecretScan;
import dev.sheaf.server.bundle.check.TextChecks;
import dev.sheaf.server.cpu.Budget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/// A text of which is known how each character is to be shown. Not changed once it is made.
public final class Painted {
    private static final int SHOWN = 8; // letters of a secret
    private static final char NEXT_LINE = '\u2028';
    private static final char NEXT_PARAGRAPH = '\u2029';

    private final String text;
    private final byte[] styles;
    private final BitSet hidden;
    private final BitSet secret = new BitSet();
    private final BitSet covered = new BitSet();
    private final List<SecretScan.Found> secrets = new ArrayList<>();

    private Painted(String text, byte[] styles) {
        this.text = text;
        this.styles = styles;
        this.hidden = hidden(text);
        SecretScan.findAll(text, found -> {
            secret.set(found.from(), found.to());
            covered.set(Math.min(found.to(), found.from() + SHOWN), found.to());
            secrets.add(found);
        });
    }

    /// A text with its language's colours. What is computed asks the budget.
    public static Painted of(String text, Language language, Budget budget) {
        return new Painted(text, Highlighter.styles(text, language, budget));
    }

    /// A text without colours.
    public static Painted plain(String text) {
        return new Painted(text, new byte[text.length()]);
    }

    /// What the content checks call hidden, and what browsers take for the end of a line where there is none.
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

    /// Marks what changed within a line.
    public void change(int from, int to) {
        Arrays.fill(styles, from, to, (byte) Style.CHANGED.ordinal());
    }

    byte style(int at) {
        return styles[at];
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

    /// Where a hidden character is next; negative: nowhere.
    public int nextHidden(int from) {
        return hidden.nextSetBit(from);
    }

    public List<SecretScan.Found> secrets() {
        return List.copyOf(secrets);
    }

    /// A character by its number, such as `U+202E`.
    public static String code(int c) {
        String digits = Integer.toHexString(c).toUpperCase(Locale.ROOT);
        return "U+" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }

    /// The same with its name.
    public static String name(int c) {
        String name = Character.getName(c);
        return code(c) + (name == null ? "" : " (" + name.toLowerCase(Locale.ROOT) + ")");
    }

    /// The same text where nothing hides: hidden characters are written out, and of secrets how they begin.
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
