package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.bundle.pages.source.MarkedLine;
import dev.sheaf.server.console.chart.Chart;
import dev.sheaf.server.console.chart.Plot;
import dev.sheaf.server.testing.TestApp;
import gg.jte.Content;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A page of all parts that pages are made of, in all their states and with texts that are hard on a
/// layout. Only tests show it.
final class PartsPage {
    private static final String LONG =
            "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);
    private static final String ODD =
            "\u05E9\u05DC\u05D5\u05DD R\u0335\u0322\u0353\u0300\u0301\u0302\u0303\u0304 " + LONG;
    private static final Pattern ICON = Pattern.compile("\\{icon:([a-z]+)}");

    private final PageTemplates templates = new PageTemplates();
    private final Set<String> shown = new TreeSet<>();
    private final PageFrame frame;
    private final StaticFiles files = new StaticFiles();

    PartsPage(TestApp app) {
        var notices = List.of(
                PageNotice.ok("Done"),
                new PageNotice("info", LONG, List.of()),
                new PageNotice("warn", "Careful", List.of(ODD)),
                PageNotice.bad("Failed", LONG, ODD));
        var machine = new ApiEquivalent(List.of("GET /v1/" + LONG), List.of("sheaf show acme/" + LONG));
        frame = new PageFrame(
                LONG,
                "browse",
                LONG,
                PageViewer.ANONYMOUS,
                true,
                "token",
                "",
                "/parts",
                app.host(),
                app.url(),
                notices,
                machine,
                new PageFrame.Names(Map.of("user:1", LONG)),
                "/feed.atom",
                files);
    }

    /// The templates of parts that the page has.
    Set<String> shown() {
        return shown;
    }

    String html() {
        String html = ICON.matcher(resource())
                .replaceAll(icon -> Matcher.quoteReplacement(part("icon", Map.of("name", icon.group(1)))))
                .replace("{icons}", files.path("icons.svg"))
                .replace("{short}", LONG.substring(0, 40))
                .replace("{long}", LONG)
                .replace("{odd}", ODD)
                .replace("{charts}", charts())
                .replace("{parts}", parts());
        return render("console/layout", Map.of("content", content(html)));
    }

    private String charts() {
        var rising = List.of(new Plot.Spot(0, 2.0), new Plot.Spot(0.5, 9.0), new Plot.Spot(1, 4.0));
        var plot = Plot.upTo(9);
        var curves = List.of(
                new Chart.Curve(plot.line(rising), plot.area(rising), "", "used"),
                new Chart.Curve(plot.level(8), "", "ln-m", LONG));
        var lines = new Chart(
                "1,234,567 pulls",
                " of " + LONG,
                ODD,
                plot.levels(Double::toString),
                List.of("29 Oct", "now"),
                curves,
                List.of());
        var bars = new Chart(
                "Bars",
                "",
                "Two bars",
                plot.levels(Double::toString),
                List.of("00:00", "12:00", "now"),
                List.of(),
                plot.bars(List.of(3.0, 9.0)));
        return part("chart", Map.of("chart", lines, "more", content("<details><summary>Table</summary></details>")))
                + part("chart", Map.of("chart", bars))
                + part("spark", Map.of("spark", plot.spark(rising, "Rises")));
    }

    private String parts() {
        var html = new StringBuilder();
        var wrong = FormErrors.of(new Problem.ValidationFailed(List.of()), List.of());
        var errors = new FormErrors(Map.of("wrong", LONG, "choice", ODD), List.of(LONG, "Not this either."));
        html.append(part("refused", Map.of("errors", wrong)));
        html.append(part("refused", Map.of("errors", errors)));
        html.append("<form class=\"stack\" action=\"/\">");
        html.append(part("token", Map.of()));
        html.append(part("field", Map.of("name", "plain", "label", "Plain")));
        html.append(part("field", Map.of("name", "full", "label", LONG, "value", LONG, "hint", ODD, "required", true)));
        html.append(part("field", Map.of("name", "wrong", "label", "Wrong", "hint", "A hint", "errors", errors)));
        html.append(part("field", Map.of("name", "text", "label", "Text", "rows", 4, "value", ODD)));
        html.append(part("field", Map.of("name", "secret", "label", "Secret", "type", "password", "placeholder", "…")));
        var options = new LinkedHashMap<>(Map.of("a", "One", "b", LONG));
        html.append(render(
                "console/work/select",
                Map.of(
                        "name", "choice", "label", "Choice", "value", "b", "options", options, "hint", "A hint",
                        "errors", errors)));
        html.append("</form>");
        html.append(render("console/work/unread", Map.of("errors", errors)));
        for (String state : List.of("queued", "running", "completed", "failed", "dead", "paused", "active", "odd")) {
            html.append(render("console/work/state", Map.of("state", state, "more", ": " + LONG)));
        }
        return html.append(texts()).toString();
    }

    private String texts() {
        var html = new StringBuilder();
        var now = Instant.parse("2026-07-04T12:05:00Z");
        html.append(part("unowned", Map.of())).append(part("unsafe", Map.of()));
        html.append("<p>").append(part("time", Map.of("at", now))).append(part("moment", Map.of("at", now)));
        for (String who : List.of("user:1", "acme/" + LONG, "key:01a21bb8-0000-7000-8000-000000abcdef")) {
            html.append(" ").append(part("actor", Map.of("who", who)));
        }
        html.append("</p>");
        html.append(part("cmd", Map.of("label", "With sheaf", "text", "sheaf add acme/" + LONG)));
        html.append(part("copy", Map.of("label", "the command", "text", "sheaf add acme/" + LONG)));
        html.append(part("longtext", Map.of("text", LongText.of(LONG + "\n" + ODD, 10_000), "label", "Whole")));
        html.append(part("longtext", Map.of("text", LongText.of(LONG, 20), "label", "Cut", "rest", "/rest")));
        html.append(part("note", Map.of("tone", "warn", "title", LONG, "lines", List.of(ODD))));
        html.append(part("note", Map.of("tone", "bad", "title", "Bad", "lines", List.of(ODD, LONG), "icon", "stop")));
        html.append("<div class=\"box\">");
        html.append(part("empty", Map.of("title", "Nothing yet", "content", content("<p>Push one.</p>"))));
        html.append("</div>");
        html.append(part("live", Map.of("nouns", "part|parts")));
        html.append(part("pager", Map.of("next", "/?cursor=b", "first", "/", "previous", "/?above=1")));
        var pieces = new HashMap<String, LinePiece>();
        pieces.put("hidden", new LinePiece("U+202E", false, LinePiece.Mark.HIDDEN, "RIGHT-TO-LEFT OVERRIDE"));
        pieces.put("secret", new LinePiece("ghp_x7Kq", false, LinePiece.Mark.SECRET, ""));
        pieces.put("plain", new LinePiece("plain " + LONG, false, LinePiece.Mark.NONE, ""));
        pieces.put("changed", new LinePiece("changed " + LONG, true, LinePiece.Mark.NONE, ""));
        int number = 1;
        var lines = new java.util.ArrayList<MarkedLine>();
        for (var piece : pieces.entrySet()) {
            String tone = piece.getValue().isHidden() ? "bad" : piece.getValue().isSecret() ? "warn" : null;
            lines.add(new MarkedLine(number++, tone, List.of(piece.getValue())));
        }
        html.append("<div class=\"box\">")
                .append(render(
                        "bundle/pages/source/lines",
                        Map.of("lines", lines, "name", "SKILL.md", "language", "markdown")));
        return html.append("</div>").toString();
    }

    private String part(String name, Map<String, Object> values) {
        shown.add(name);
        return render("console/part/" + name, values);
    }

    private String render(String template, Map<String, Object> values) {
        var all = new HashMap<>(values);
        if (!List.of(
                        "console/part/chart",
                        "console/part/longtext",
                        "console/part/moment",
                        "console/part/pager",
                        "console/part/spark",
                        "console/part/time",
                        "bundle/pages/source/lines")
                .contains(template)) {
            all.put("frame", frame);
        }
        return new String(templates.render(template, all), StandardCharsets.UTF_8);
    }

    private static Content content(String html) {
        return output -> output.writeContent(html);
    }

    private static String resource() {
        try (InputStream in = PartsPage.class.getResourceAsStream("parts.html")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
