package dev.sheaf.server.hub;

import dev.sheaf.server.bundle.check.TextChecks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.owasp.html.HtmlStreamEventReceiver;

/// Adapts sanitized HTML to a page. Headings are lowered below the page's and skip no level, wide content
/// scrolls within the page, by keyboard too, and hidden characters become visible. Bound to one text.
final class ReadmePart implements HtmlStreamEventReceiver {
    private static final int LOWEST = 6;
    private static final List<String> SCROLLS = List.of("tabindex", "0", "role", "group", "aria-label");

    private final HtmlStreamEventReceiver html;
    private final Deque<String> headings = new ArrayDeque<>();
    private int level = 1;

    ReadmePart(HtmlStreamEventReceiver html) {
        this.html = html;
    }

    @Override
    public void openDocument() {
        html.openDocument();
    }

    @Override
    public void closeDocument() {
        html.closeDocument();
    }

    @Override
    public void openTag(String element, List<String> attributes) {
        switch (element) {
            case "table" -> {
                html.openTag("div", with(List.of("class", "scroll"), "Table"));
                html.openTag(element, List.of("class", "table is-narrow"));
            }
            case "pre" -> html.openTag(element, with(List.of("class", "code code-plain"), "Code"));
            case "h1", "h2", "h3", "h4", "h5", "h6" -> {
                level = Math.min(Math.min(element.charAt(1) - '0', level) + 1, LOWEST);
                headings.push("h" + level);
                html.openTag("h" + level, attributes);
            }
            default -> html.openTag(element, attributes);
        }
    }

    private static List<String> with(List<String> own, String label) {
        var all = new ArrayList<>(own);
        all.addAll(SCROLLS);
        all.add(label);
        return all;
    }

    @Override
    public void closeTag(String element) {
        switch (element) {
            case "table" -> {
                html.closeTag(element);
                html.closeTag("div");
            }
            case "h1", "h2", "h3", "h4", "h5", "h6" -> html.closeTag(headings.isEmpty() ? element : headings.pop());
            default -> html.closeTag(element);
        }
    }

    @Override
    public void text(String text) {
        html.text(visible(text));
    }

    /// Returns a text in which hidden and bidirectional characters are written out, such as `U+202E`, as on all
    /// pages. Otherwise a text could appear to say something else.
    static String visible(String text) {
        var hidden = TextChecks.hidden(text);
        if (hidden.isEmpty()) {
            return text;
        }
        var shown = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (hidden.get(i)) {
                shown.append(String.format("\u2039U+%04X\u203A", c));
            } else {
                shown.appendCodePoint(c);
            }
            i += Character.charCount(c);
        }
        return shown.toString();
    }
}
