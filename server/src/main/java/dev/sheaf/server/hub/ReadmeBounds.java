package dev.sheaf.server.hub;

import dev.sheaf.engine.cpu.Budget;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import org.commonmark.internal.InlineParserImpl;
import org.commonmark.node.Block;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.InlineParser;
import org.commonmark.parser.InlineParserContext;
import org.commonmark.parser.SourceLine;
import org.commonmark.parser.SourceLines;
import org.commonmark.parser.block.BlockParserFactory;
import org.commonmark.parser.block.BlockStart;
import org.commonmark.parser.block.MatchedBlockParser;
import org.commonmark.parser.block.ParserState;
import org.jspecify.annotations.Nullable;
import org.owasp.html.HtmlStreamEventReceiver;

/// Keeps the Markdown library and the HTML sanitizer, which ignore interrupts, within a [Budget]. The budget is
/// checked for each piece that they read, each paragraph, and each piece that they write. The size of their
/// input is limited too, because both libraries need quadratic time for some inputs between two checks.
public final class ReadmeBounds {
    /// The limit of marks in one paragraph, heading or cell. Each mark may be compared with all previous ones.
    public static final int MAX_MARKS = 1_000;
    /// The limit of lines in one paragraph that may begin another block.
    static final int MAX_LINES = 1_000;
    /// The limit of attribute separators in one tag. Each attribute is compared with all previous ones.
    private static final int MAX_ATTRIBUTES = 500;

    private static final int TEXT = -1;
    private static final String MARKS = "*_~[]!<&`\\\n@:";

    private ReadmeBounds() {}

    /// Thrown if a text exceeds a limit; the message names the limit.
    static final class TooMuchException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooMuchException(String message) {
            super(message, null, false, false);
        }
    }

    /// Counts the lines of each paragraph: the library reads the whole paragraph again for each line that may
    /// begin another block. Never starts a block itself.
    static final class Paragraphs implements BlockParserFactory {
        private @Nullable Block last;
        private int lines;

        @Override
        public @Nullable BlockStart tryStart(ParserState state, MatchedBlockParser matched) {
            var block = state.getActiveBlockParser().getBlock();
            lines = block == last ? lines + 1 : 0;
            last = block;
            if (block instanceof Paragraph && lines > MAX_LINES) {
                throw new TooMuchException("more than " + MAX_LINES + " lines in a paragraph");
            }
            return BlockStart.none();
        }
    }

    /// Returns a reader that checks the budget for each piece of the text.
    static Reader reader(String text, Budget budget) {
        return new StringReader(text) {
            @Override
            public int read(char[] buffer, int offset, int length) throws IOException {
                budget.check();
                return super.read(buffer, offset, Math.min(length, 1 << 10));
            }
        };
    }

    /// Returns the library's inline parser for paragraphs within the limit. Longer paragraphs stay plain text.
    static InlineParser inlines(InlineParserContext context, Budget budget) {
        var library = new InlineParserImpl(context);
        return (lines, node) -> {
            budget.check();
            if (marks(lines.getLines()) <= MAX_MARKS) {
                library.parse(lines, node);
            } else {
                plain(lines, node);
            }
        };
    }

    private static int marks(List<SourceLine> lines) {
        int marks = lines.size();
        for (var line : lines) {
            var content = line.getContent();
            for (int i = 0; i < content.length() && marks <= MAX_MARKS; i++) {
                if (MARKS.indexOf(content.charAt(i)) >= 0) {
                    marks++;
                }
            }
        }
        return marks;
    }

    private static void plain(SourceLines lines, Node node) {
        for (var line : lines.getLines()) {
            if (node.getLastChild() != null) {
                node.appendChild(new SoftLineBreak());
            }
            node.appendChild(new Text(line.getContent().toString()));
        }
    }

    /// Collects HTML up to a limit.
    static final class Page implements Appendable {
        private final StringBuilder html = new StringBuilder();
        private final Budget budget;
        private final int max;

        Page(Budget budget, int max) {
            this.budget = budget;
            this.max = max;
        }

        @Override
        public Page append(CharSequence text) {
            return append(text, 0, text.length());
        }

        @Override
        public Page append(CharSequence text, int start, int end) {
            budget.check();
            html.append(text, start, end);
            if (html.length() > max) {
                throw new TooMuchException("more than " + max + " characters of HTML");
            }
            return this;
        }

        @Override
        public Page append(char character) {
            return append(String.valueOf(character), 0, 1);
        }

        @Override
        public String toString() {
            return html.toString();
        }
    }

    /// Checks the tags of HTML that will be sanitized.
    static void checkTags(String html) {
        int attributes = TEXT;
        for (int i = 0; i < html.length(); i++) {
            char c = html.charAt(i);
            if (c == '<' && i + 1 < html.length() && Character.isLetter(html.charAt(i + 1))) {
                attributes = 0;
            } else if (c == '>') {
                attributes = TEXT;
            } else if (attributes != TEXT && (c <= ' ' || "=/\"'".indexOf(c) >= 0) && ++attributes > MAX_ATTRIBUTES) {
                throw new TooMuchException("more than " + MAX_ATTRIBUTES + " attributes in a tag");
            }
        }
    }

    /// Checks the budget for each element that the sanitizer writes.
    record Watched(HtmlStreamEventReceiver html, Budget budget) implements HtmlStreamEventReceiver {
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
            budget.check();
            html.openTag(element, attributes);
        }

        @Override
        public void closeTag(String element) {
            budget.check();
            html.closeTag(element);
        }

        @Override
        public void text(String text) {
            budget.check();
            html.text(text);
        }
    }
}
