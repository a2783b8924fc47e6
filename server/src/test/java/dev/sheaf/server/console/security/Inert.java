package dev.sheaf.server.console.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Whether a page does only what it was made to do: its tags are read as browsers read them, and each must be one of
/// ours.
final class Inert {
    private static final Pattern OUR_SCRIPT = Pattern.compile("<script src=\"/-/[a-z0-9.-]+\" defer(=\"\")?>");
    private static final Pattern ATTRIBUTE =
            Pattern.compile("\\s+([^\\s=>\"'/]+)(?:\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)'|([^\\s>\"']+)))?");
    private static final Pattern TAG =
            Pattern.compile("<([a-zA-Z][a-zA-Z0-9-]*)((?:" + ATTRIBUTE.pattern() + ")*)\\s*/?>");
    private static final Set<String> FORBIDDEN =
            Set.of("iframe", "object", "embed", "base", "frame", "applet", "style", "img", "video", "audio", "math");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action", "formaction", "xlink:href", "data");

    private Inert() {}

    /// What in a page does something that it should not; empty: nothing.
    static List<String> faults(String html) {
        var faults = new ArrayList<String>();
        int at = html.indexOf('<');
        while (at >= 0) {
            if (at + 1 < html.length() && Character.isLetter(html.charAt(at + 1))) {
                tag(html, at, faults);
            }
            at = html.indexOf('<', at + 1);
        }
        return faults;
    }

    private static void tag(String html, int at, List<String> faults) {
        var tag = TAG.matcher(html).region(at, html.length());
        if (!tag.lookingAt()) {
            faults.add("no tag: " + around(html, at));
            return;
        }
        String name = tag.group(1).toLowerCase(Locale.ROOT);
        boolean isForeign =
                name.equals("script") ? !OUR_SCRIPT.matcher(tag.group()).matches() : FORBIDDEN.contains(name);
        if (isForeign) {
            faults.add(around(html, at));
        }
        var attributes = ATTRIBUTE.matcher(tag.group(2));
        while (attributes.find()) {
            String attribute = attributes.group(1).toLowerCase(Locale.ROOT);
            String value = attributes.group(2) == null ? "" : attributes.group(2);
            boolean runs = attribute.startsWith("on") || attribute.equals("style") || attribute.equals("srcdoc");
            boolean leads = ADDRESSES.contains(attribute)
                    && value.strip().toLowerCase(Locale.ROOT).matches("(?s)\\s*(javascript|data|vbscript):.*");
            if (runs || leads) {
                faults.add(around(html, at));
            }
        }
    }

    private static String around(String html, int at) {
        return html.substring(Math.max(0, at - 60), Math.min(html.length(), at + 160));
    }
}
