package dev.sheaf.server.hub;

/// An image with a name and a version, for other sites.
public final class VersionBadge {
    private static final int MAX_LABEL = 60;
    private static final int HEIGHT = 20;
    private static final int MARGIN = 10;
    private static final double CHARACTER = 6.6; // average width in pixels, in the font below

    private VersionBadge() {}

    /// Returns an SVG document in UTF-8. It loads no resources and contains no scripts.
    public static byte[] svg(String label, String value) {
        String left = shortened(label);
        String right = shortened(value);
        int first = width(left);
        int second = width(right);
        String whole = Integer.toString(first + second);
        var svg = new XmlWriter("svg", "http://www.w3.org/2000/svg")
                .with("width", whole, "height", Integer.toString(HEIGHT), "role", "img")
                .with("aria-label", left + ": " + right)
                .leaf("title", left + ": " + right);
        box(svg, 0, first, "#444");
        box(svg, first, second, "#2a6ebb");
        text(svg, first / 2.0, left);
        text(svg, first + second / 2.0, right);
        return svg.bytes();
    }

    private static void box(XmlWriter svg, int from, int width, String colour) {
        svg.start("rect", "x", Integer.toString(from), "width", Integer.toString(width), "height", "20", "fill", colour)
                .end();
    }

    private static void text(XmlWriter svg, double middle, String text) {
        svg.leaf(
                "text",
                text,
                "x",
                Double.toString(middle),
                "y",
                "14",
                "fill",
                "#fff",
                "text-anchor",
                "middle",
                "font-family",
                "Verdana,DejaVu Sans,sans-serif",
                "font-size",
                "11");
    }

    private static int width(String text) {
        return MARGIN + (int) Math.ceil(text.codePointCount(0, text.length()) * CHARACTER);
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_LABEL
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LABEL - 1)) + "…";
    }
}
