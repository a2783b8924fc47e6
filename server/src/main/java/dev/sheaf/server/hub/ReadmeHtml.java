package dev.sheaf.server.hub;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.OverBudgetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;
import org.owasp.html.AttributePolicy;
import org.owasp.html.Handler;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.HtmlSanitizer;
import org.owasp.html.HtmlStreamRenderer;
import org.owasp.html.PolicyFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Converts the README of a bundle from Markdown to inert HTML. READMEs are treated as hostile: deeply nested
/// or very large ones are shown as plain text, images become links, and a page loads no other resources.
public final class ReadmeHtml {
    /// A heading whose content was removed. Screen readers would announce it.
    private static final Pattern EMPTY_HEADING = Pattern.compile("<(h[1-6])(?: [^<>]*+)?+>\\s*+</\\1>");

    /// The Content-Security-Policy of a page: a browser may show it and open its links, nothing else.
    public static final String POLICY =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                    + " sandbox allow-popups allow-popups-to-escape-sandbox";

    private static final Logger LOG = LoggerFactory.getLogger(ReadmeHtml.class);
    private static final int MAX_TEXT = 256 << 10;
    private static final int MAX_HTML = 2 << 20;
    private static final int MAX_PAGE = 1 << 20;
    private static final int MAX_CELLS = 20_000;
    private static final int MAX_NESTING = 50;
    private static final String NOTE =
            "<p><em>This README is too large or complex to be shown as a page. This is its text.</em></p>\n";
    private static final String SHORTENED =
            "<p><em>This README is shortened: its page would be too large. The file has the rest.</em></p>\n";
    private static final Set<String> MARKDOWN = Set.of("markdown", "md", "gfm", "commonmark", "text/markdown");

    private static final List<Extension> EXTENSIONS = List.of(
            TablesExtension.builder().maxCells(MAX_CELLS).build(),
            StrikethroughExtension.create(),
            AutolinkExtension.create());
    private static final HtmlRenderer RENDERER = HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .nodeRendererFactory(ImagesAsLinks::new)
            .build();

    private ReadmeHtml() {}

    /// Returns the whole page in UTF-8.
    ///
    /// @param format the format of the text; null for Markdown
    /// @param assets base address of the bundle's assets with a trailing slash, for relative links
    /// @throws OverBudgetException if the request was cancelled
    public static byte[] page(String title, String text, @Nullable String format, String assets, Budget budget) {
        String html = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>" + escape(title)
                + "</title></head><body>\n"
                + (isMarkdown(format) ? fromMarkdown(text, new Looks(assets, "", false), budget) : plain(text))
                + "</body></html>\n";
        return html.getBytes(StandardCharsets.UTF_8);
    }

    /// Returns the README as a part of a page. Its headings are lowered below the heading of the page.
    ///
    /// @throws OverBudgetException those of [#page]
    static SafeHtml part(String text, @Nullable String format, String assets, Budget budget) {
        String html = isMarkdown(format)
                ? fromMarkdown(text, new Looks(assets, "", true), budget)
                : plain(ReadmePart.visible(text));
        return new SafeHtml(html.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a Markdown file as a part of a page. Its links are relative to its folder.
    ///
    /// @param folder path within `assets`, without slashes at its ends; empty for `assets` itself
    public static SafeHtml file(String text, String assets, String folder, Budget budget) {
        return new SafeHtml(
                fromMarkdown(text, new Looks(assets, folder, true), budget).getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isMarkdown(@Nullable String format) {
        return format == null || MARKDOWN.contains(format.toLowerCase(Locale.ROOT));
    }

    /// @param assets base address of relative links
    /// @param folder the path within `assets` at which relative links begin
    /// @param isPart whether it becomes a part of a page
    private record Looks(String assets, String folder, boolean isPart) {}

    private static String fromMarkdown(String text, Looks looks, Budget budget) {
        if (text.length() > MAX_TEXT) {
            return tooMuch(text, looks);
        }
        try {
            return bounded(text, looks, budget);
        } catch (OverBudgetException e) {
            if (budget.isCancelled()) {
                throw e;
            }
            LOG.info("a README took too long to render and is shown as text");
            return tooMuch(text, looks);
        } catch (ReadmeBounds.TooMuchException e) {
            LOG.debug("a README is shown as text: {}", e.getMessage());
            return tooMuch(text, looks);
        } catch (RuntimeException | StackOverflowError | IOException e) {
            // the libraries throw at their limits; StackOverflowError covers the cases that they miss
            LOG.info("the Markdown library failed on a README, which is shown as text: {}", e.getClass());
            LOG.debug("the failure of the Markdown library", e);
            return tooMuch(text, looks);
        }
    }

    /// Renders the beginning of a text whose page would be too large: short Markdown can become much HTML.
    private static String bounded(String text, Looks looks, Budget budget) throws IOException {
        String html = clean(rendered(text, budget), looks, budget);
        int room = text.length();
        while (html.length() > MAX_PAGE) {
            room = (int) ((long) room * MAX_PAGE / html.length() * 9 / 10);
            int line = text.lastIndexOf('\n', room) + 1;
            html = SHORTENED + clean(rendered(text.substring(0, line == 0 ? room : line), budget), looks, budget);
        }
        return html;
    }

    private static String rendered(String text, Budget budget) throws IOException {
        var parser = Parser.builder()
                .extensions(EXTENSIONS)
                .maxOpenBlockParsers(MAX_NESTING)
                .maxInlineNesting(MAX_NESTING)
                .customBlockParserFactory(new ReadmeBounds.Paragraphs())
                .inlineParserFactory(context -> ReadmeBounds.inlines(context, budget))
                .build();
        var html = new ReadmeBounds.Page(budget, MAX_HTML);
        RENDERER.render(parser.parseReader(ReadmeBounds.reader(text, budget)), html);
        return html.toString();
    }

    private static String clean(String html, Looks looks, Budget budget) {
        ReadmeBounds.checkTags(html);
        var page = new StringBuilder(html.length());
        var written = HtmlStreamRenderer.create(page, Handler.DO_NOTHING);
        var out = new ReadmeBounds.Watched(looks.isPart() ? new ReadmePart(written) : written, budget);
        HtmlSanitizer.sanitize(html, policy(looks).apply(out));
        return EMPTY_HEADING.matcher(page).replaceAll("");
    }

    private static String tooMuch(String text, Looks looks) {
        return NOTE + plain(looks.isPart() ? ReadmePart.visible(text) : text);
    }

    private static String plain(String text) {
        return "<pre>" + escape(text) + "</pre>\n";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static PolicyFactory policy(Looks looks) {
        return new HtmlPolicyBuilder()
                .allowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "div", "blockquote", "pre", "code")
                .allowElements("ul", "ol", "li", "dl", "dt", "dd", "details", "summary")
                .allowElements(
                        "em", "strong", "b", "i", "u", "s", "del", "ins", "sub", "sup", "kbd", "samp", "var", "q")
                .allowElements("table", "thead", "tbody", "tr", "th", "td", "a")
                .allowAttributes("align")
                .matching(true, "left", "center", "right")
                .onElements("th", "td", "p", "div", "h1", "h2", "h3")
                .allowAttributes("class")
                .matching(Pattern.compile("language-[A-Za-z0-9+#_.-]{1,40}"))
                .onElements("code")
                .allowAttributes("start")
                .matching(Pattern.compile("[0-9]{1,9}"))
                .onElements("ol")
                .allowAttributes("href")
                .matching(new Links(looks.assets(), looks.folder()))
                .onElements("a")
                .allowUrlProtocols("https", "http", "mailto")
                .requireRelsOnLinks("nofollow", "noopener", "noreferrer", "ugc")
                .toFactory();
    }

    /// Restricts links to other sites, to the page itself and to assets of the bundle. Other links to this
    /// server are removed.
    private record Links(String assets, String folder) implements AttributePolicy {
        private static final Pattern DOT = Pattern.compile("%2[eE]");
        private static final Pattern SEPARATOR = Pattern.compile("\\\\|%2[fF]|%5[cC]|%00");
        private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);

        @Override
        public @Nullable String apply(String element, String attribute, String value) {
            String link = value.strip();
            if (link.startsWith("#") || SCHEME.matcher(link).matches()) {
                return link;
            }
            int end = link.length();
            for (char mark : new char[] {'?', '#'}) {
                end = link.indexOf(mark) < 0 ? end : Math.min(end, link.indexOf(mark));
            }
            return asset(link.substring(0, end));
        }

        private @Nullable String asset(String path) {
            var segments = new ArrayDeque<String>();
            if (!folder.isEmpty()) {
                List.of(folder.split("/")).forEach(segment -> segments.add(encode(segment)));
            }
            for (String written : path.split("/", -1)) {
                String segment = DOT.matcher(written).replaceAll("."); // browsers climb at %2e%2e too
                boolean climbs = segment.equals("..");
                if (climbs && segments.isEmpty()
                        || segment.isEmpty()
                        || SEPARATOR.matcher(segment).find()) {
                    return null;
                }
                if (climbs) {
                    segments.removeLast();
                } else if (!segment.equals(".")) {
                    segments.add(encode(segment));
                }
            }
            return segments.isEmpty() ? null : assets + String.join("/", segments);
        }

        /// Percent-encodes characters that are not allowed in a path; existing escapes are kept.
        private static String encode(String segment) {
            var encoded = new StringBuilder();
            for (byte octet : segment.getBytes(StandardCharsets.UTF_8)) {
                char character = (char) (octet & 0xFF);
                if (character < 0x80
                        && (Character.isLetterOrDigit(character) || "%-._~!$&'()*+,;=@".indexOf(character) >= 0)) {
                    encoded.append(character);
                } else {
                    encoded.append('%').append("%02X".formatted((int) character));
                }
            }
            return encoded.toString();
        }
    }

    /// Renders an image as a link, so that another site learns of the reader only if the reader follows the
    /// link.
    private record ImagesAsLinks(HtmlNodeRendererContext context) implements NodeRenderer {
        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(Image.class);
        }

        @Override
        public void render(Node node) {
            var image = (Image) node;
            var alternative = new StringBuilder();
            collect(image, alternative);
            String text = alternative.isEmpty() ? image.getDestination() : alternative.toString();
            if (isInLink(image)) {
                context.getWriter().text(text);
            } else {
                context.getWriter().tag("a", Map.of("href", context.encodeUrl(image.getDestination())));
                context.getWriter().text(text);
                context.getWriter().tag("/a");
            }
        }

        private static void collect(Node node, StringBuilder text) {
            for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
                if (child instanceof Text literal) {
                    text.append(literal.getLiteral());
                }
                collect(child, text);
            }
        }

        private static boolean isInLink(Node node) {
            for (Node parent = node.getParent(); parent != null; parent = parent.getParent()) {
                if (parent instanceof Link) {
                    return true;
                }
            }
            return false;
        }
    }
}
