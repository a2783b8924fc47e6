package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportChange;
import dev.sheaf.model.passport.PassportRow;
import dev.sheaf.model.passport.PassportRule;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.passport.PassportSummary;
import dev.sheaf.model.passport.PassportSummary.News;
import dev.sheaf.model.passport.PassportSummary.Phrase;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A version's passport, its findings and its verdict, as pages show them, and as far as a page has room.
///
/// @param since the version before; null if there is none, so that nothing is new
/// @param place the page of the version
/// @param api the API's path of the passport; empty if it has none
/// @param rows the six rows; empty if the passport could not be made
/// @param risk what lists say of the version, so that all numbers agree
/// @param findings those that `risk` counts, the worst first, then hints of low severity
/// @param more the number of findings that are left out
/// @param unread sentences about what was not read; empty if everything was
public record PassportView(
        String version,
        @Nullable String since,
        String place,
        String api,
        List<Row> rows,
        VersionRisk risk,
        List<Finding> findings,
        int more,
        List<String> unread,
        int files,
        Verdict verdict) {
    private static final int ROOM = 8 << 10; // bytes of a page for the rows, and as much for the findings
    private static final int MOST_NEWS = 5; // of a row
    private static final int MOST_PLACES = 2; // of a finding
    private static final int MOST_UNREAD = 3;
    private static final String PASSPORT = "#passport";
    private static final int ENTRY = 120; // bytes of the elements of an entry
    private static final Pattern LINE = Pattern.compile("\\bline ([0-9]{1,9})\\b");

    public PassportView {
        rows = List.copyOf(rows);
        findings = List.copyOf(findings);
        unread = List.copyOf(unread);
    }

    /// A row.
    ///
    /// @param none the words if there are no phrases
    /// @param more the number of news that are left out
    public record Row(String icon, String label, List<Phrase> phrases, String none, List<Change> news, int more) {}

    /// Something new or gone.
    ///
    /// @param link the link to its first place; null if there is none
    public record Change(News news, @Nullable String link) {
        public String icon() {
            return news.isAdded() ? "plus" : "minus";
        }

        public String tone() {
            return !news.isAdded() ? "ok" : news.isBad() ? "bad" : "warn";
        }

        public String word() {
            return news.isAdded() ? "new: " : "gone: ";
        }
    }

    /// Something that a reader should look at first.
    ///
    /// @param text what was found; empty if `what` is a sentence
    /// @param what the part of the file, or the kind of secret
    /// @param places none for the whole version
    /// @param more the number of further places
    public record Finding(
            Severity severity, String text, String what, String rule, List<Spot> places, int more, String advice) {
        public String tone() {
            return severity == Severity.HIGH ? "bad" : severity == Severity.MEDIUM ? "warn" : "info";
        }

        public String icon() {
            return rule.startsWith("hidden-") ? "hidden" : severity.compareTo(Severity.MEDIUM) < 0 ? "info" : "warn";
        }

        public String word() {
            return switch (severity) {
                case HIGH -> "High";
                case MEDIUM -> "Medium";
                case LOW -> "Low";
                case INFO -> "Info";
            };
        }
    }

    /// A line of a file.
    public record Spot(String name, String link) {}

    /// Trust in one line: a word, then facts.
    ///
    /// @param tone null for neither good nor bad
    public record Verdict(
            @Nullable String tone,
            String icon,
            String word,
            @Nullable Link link,
            List<Fact> facts) {
        public Verdict {
            facts = List.copyOf(facts);
        }
    }

    /// @param text empty if the link has all words
    /// @param link what follows the text, as a link; null if nothing does
    public record Fact(String icon, String text, @Nullable Link link) {}

    public record Link(String text, String href) {}

    /// What a version page knows besides the passport.
    ///
    /// @param links where its pages are
    /// @param isSigned whether the registry has a signature, which it does not verify
    /// @param since the version with which it is compared; null if there is none
    public record Known(
            String version,
            Links links,
            List<VersionDetail.Warning> warnings,
            boolean isYanked,
            boolean isSigned,
            @Nullable String since) {
        public Known {
            warnings = List.copyOf(warnings);
        }

        static Known of(VisibleBundle seen, VersionDetail version, boolean isSigned, @Nullable String since) {
            var warnings = version.warnings();
            return new Known(
                    version.version(),
                    new Links(
                            seen.at("/versions/{}", version.version()).toString(),
                            seen.api("/versions/{}/passport", version.version())
                                    .with("since", since)
                                    .toString(),
                            (path, line) -> seen.file(version.version(), path) + (line == 0 ? "" : "?line=" + line)),
                    warnings == null ? List.of() : warnings,
                    version.yank() != null,
                    isSigned,
                    since);
        }

        String file(Passport.Place place) {
            return links.file().at(place.path(), place.line());
        }
    }

    /// Where the pages of a version are.
    ///
    /// @param place its own page
    /// @param api the API's path of its passport; empty if it has none
    public record Links(String place, String api, FilePage file) {}

    /// The page of a file.
    public interface FilePage {
        /// @param line 0 for the whole file
        String at(String path, int line);
    }

    /// @param passport null if it could not be made now
    public static PassportView of(Known known, @Nullable Passport passport, @Nullable PassportChange change) {
        String place = known.links().place();
        var findings = findings(known, passport);
        var shown = within(findings);
        var risk = VersionRisk.of(
                passport,
                known.warnings().stream().map(VersionDetail.Warning::code).toList());
        return new PassportView(
                known.version(),
                known.since(),
                place,
                known.links().api(),
                passport == null ? List.of() : rows(known, passport, change),
                risk,
                shown,
                findings.size() - shown.size(),
                passport == null ? List.of() : unread(passport),
                passport == null ? 0 : passport.files(),
                verdict(known, passport, change, risk, place));
    }

    // --- rows ---

    private static List<Row> rows(Known known, Passport passport, @Nullable PassportChange change) {
        var rows = new ArrayList<Row>();
        int room = ROOM;
        for (var row : PassportRow.values()) {
            var phrases = new ArrayList<Phrase>();
            for (var phrase : PassportSummary.of(row, passport.rows().of(row))) {
                room -= ENTRY + LinePiece.weight(phrase.toString());
                phrases.add(room > 0 ? phrase : withoutNames(phrase));
            }
            var news = change == null ? List.<News>of() : PassportSummary.news(row, change);
            var shown = new ArrayList<Change>();
            for (var one : news) {
                room -= ENTRY + LinePiece.weight(one.toString());
                if (shown.size() == MOST_NEWS || room <= 0) {
                    break;
                }
                shown.add(new Change(one, link(known, one)));
            }
            rows.add(new Row(
                    icon(row),
                    PassportSummary.label(row),
                    List.copyOf(phrases),
                    PassportSummary.none(row),
                    List.copyOf(shown),
                    news.size() - shown.size()));
        }
        return rows;
    }

    private static Phrase withoutNames(Phrase phrase) {
        int all = phrase.names().size() + phrase.more();
        return new Phrase(phrase.lead().isEmpty() ? all + " in all" : phrase.lead(), List.of(), all);
    }

    private static @Nullable String link(Known known, News news) {
        var places = news.entry().places();
        return news.isAdded() && !places.isEmpty() && places.getFirst().path().length() < ENTRY
                ? known.file(places.getFirst())
                : null;
    }

    private static String icon(PassportRow row) {
        return switch (row) {
            case RUNS -> "play";
            case REACHES -> "globe";
            case TOOLS -> "tool";
            case SECRETS -> "key";
            case LEAVES_BEHIND -> "config";
            case INSTRUCTIONS -> "chat";
        };
    }

    private static List<String> unread(Passport passport) {
        var sentences = new ArrayList<String>();
        passport.unread().stream()
                .limit(MOST_UNREAD)
                .forEach(one -> sentences.add(
                        switch (one.reason()) {
                            case "beginning" -> one.path() + " is read only at its beginning";
                            case "archive" -> one.path() + " is an archive, which is not unpacked";
                            case "document" -> one.path() + " is a document or database, which is not read";
                            case "more-entries" -> "more entries than a passport has room for";
                            default -> one.path() + " is not read: the files are too many or too large";
                        }));
        int more = passport.unread().size() - sentences.size();
        if (more > 0) {
            sentences.add(PageFormat.count(more, "other file", "other files") + " like that");
        }
        return sentences;
    }

    // --- findings ---

    private static List<Finding> findings(Known known, @Nullable Passport passport) {
        var findings = new ArrayList<Finding>();
        if (passport != null) {
            passport.rows().findings(Severity.LOW).forEach(entry -> {
                var rule = PassportRules.find(entry.rule());
                var places = entry.places().stream()
                        .limit(MOST_PLACES)
                        .map(place -> new Spot(place.path() + ":" + place.line(), known.file(place)))
                        .toList();
                findings.add(new Finding(
                        entry.level().orElse(Severity.INFO),
                        rule.map(PassportRule::text).orElse(""),
                        entry.what(),
                        entry.rule(),
                        places,
                        entry.count() - places.size(),
                        rule.map(PassportRule::advice).orElse("")));
            });
        }
        var besides = VersionRisk.besides(passport);
        known.warnings().stream()
                .filter(warning -> besides.test(warning.code()))
                .map(warning ->
                        warning.code().equals(VersionRisk.SECRET) ? secret(known, warning) : check(known, warning))
                .forEach(findings::add);
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        return findings;
    }

    private static Finding secret(Known known, VersionDetail.Warning warning) {
        int from = warning.detail().indexOf("what looks like");
        int to = warning.detail().indexOf(": revoke");
        return new Finding(
                Severity.MEDIUM,
                "A secret that was left in a file",
                from < 0 || to < from ? warning.detail() : warning.detail().substring(from, to),
                VersionRisk.SECRET,
                places(known, warning),
                0,
                "Revoke it: published is no longer secret.");
    }

    private static Finding check(Known known, VersionDetail.Warning warning) {
        return new Finding(
                Severity.MEDIUM,
                "",
                warning.detail().substring(0, 1).toUpperCase(Locale.ROOT)
                        + warning.detail().substring(1).replace("`", ""), // marks of a terminal's text
                warning.code(),
                places(known, warning),
                0,
                "Mend it in the next version, unless it is meant to be so.");
    }

    private static List<Spot> places(Known known, VersionDetail.Warning warning) {
        if (warning.logicalPath().isEmpty()) {
            return List.of();
        }
        var line = LINE.matcher(warning.detail());
        if (!line.find()) {
            return List.of(new Spot(warning.logicalPath(), known.links().file().at(warning.logicalPath(), 0)));
        }
        var place = new Passport.Place(warning.logicalPath(), Integer.parseInt(line.group(1)));
        return List.of(new Spot(place.path() + ":" + place.line(), known.file(place)));
    }

    private static List<Finding> within(List<Finding> findings) {
        var shown = new ArrayList<Finding>();
        int room = ROOM;
        for (var finding : findings) {
            room -= 3 * ENTRY
                    + LinePiece.weight(finding.what())
                    + finding.places().stream()
                            .mapToInt(spot ->
                                    LinePiece.weight(spot.name()) + spot.link().length())
                            .sum();
            if (room <= 0 && !shown.isEmpty()) {
                break;
            }
            shown.add(finding);
        }
        return shown;
    }

    /// Returns how many grave findings of the page are in a folder.
    public long graveIn(String folder) {
        return findings.stream()
                .filter(finding -> finding.severity().compareTo(Severity.MEDIUM) >= 0)
                .filter(finding ->
                        finding.places().stream().anyMatch(spot -> spot.name().startsWith(folder)))
                .count();
    }

    /// Returns the first findings that a reader should look at, without hints.
    public List<Finding> first(int most) {
        return findings.stream()
                .filter(finding -> finding.severity().compareTo(Severity.MEDIUM) >= 0)
                .limit(most)
                .toList();
    }

    /// Returns how many findings and hints there are, in words; empty if there is none.
    public String counted() {
        int hints = findings.size() + more - risk.findings();
        return Stream.of(
                        risk.findings() == 0 ? "" : PageFormat.count(risk.findings(), "finding", "findings"),
                        hints == 0 ? "" : PageFormat.count(hints, "hint", "hints"))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(" and "));
    }

    // --- verdict ---

    private static Verdict verdict(
            Known known, @Nullable Passport passport, @Nullable PassportChange change, VersionRisk risk, String place) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("shield", known.isSigned() ? "Has a signature, not verified here" : "Not signed", null));
        if (passport != null) {
            runs(passport, change, place, facts);
            long hosts = passport.rows().reaches().stream()
                    .filter(entry -> entry.rule().equals("host") || entry.rule().equals("raw-address"))
                    .count();
            if (hosts > 0) {
                facts.add(new Fact(
                        "globe", "Reaches", new Link(PageFormat.count(hosts, "host", "hosts"), place + PASSPORT)));
            }
            tools(passport, place, facts);
        }
        if (known.isYanked()) {
            return new Verdict("bad", "yank", "Yanked: do not start to use it", null, facts);
        }
        if (risk.findings() > 0) {
            var link = new Link(PageFormat.count(risk.findings(), "finding", "findings"), place + "#findings");
            return new Verdict(risk.isHigh() ? "bad" : "warn", "warn", "Look first:", link, facts);
        }
        boolean isWhole = risk.isWhole();
        return new Verdict(isWhole ? "ok" : null, isWhole ? "check" : "circle", risk.withoutFindings(), null, facts);
    }

    private static void runs(Passport passport, @Nullable PassportChange change, String place, List<Fact> facts) {
        long scripts = scripts(passport.rows());
        long fresh = change == null ? 0 : scripts(change.added());
        long others = passport.rows().runs().size() - scripts;
        if (scripts > 0) {
            String words = PageFormat.count(scripts, "script", "scripts") + fresh(scripts, fresh);
            facts.add(new Fact("play", "Runs", new Link(words, place + PASSPORT)));
        }
        if (others > 0) {
            String words = others == 1 ? "1 thing runs by itself" : others + " things run by themselves";
            facts.add(new Fact("play", "", new Link(words, place + PASSPORT)));
        }
        if (passport.rows().runs().isEmpty()) {
            facts.add(
                    new Fact("play", "No scripts, programs or hooks", null)); // the text may still tell an agent to run
        }
    }

    private static String fresh(long all, long fresh) {
        if (fresh == 0) {
            return "";
        }
        return fresh < all ? ", " + PageFormat.number(fresh) + " of them new" : all == 1 ? ", new" : ", all new";
    }

    private static long scripts(Passport.Rows rows) {
        return rows.runs().stream()
                .filter(entry -> entry.rule().equals("script") || entry.rule().equals("executable-script"))
                .count();
    }

    private static void tools(Passport passport, String place, List<Fact> facts) {
        var tools = passport.rows().tools().stream()
                .map(Passport.Entry::what)
                .distinct()
                .sorted()
                .toList();
        if (!tools.isEmpty()) {
            String named = String.join(", ", tools.subList(0, Math.min(3, tools.size())));
            facts.add(new Fact(
                    "tool",
                    "Asks for",
                    new Link(
                            named + (tools.size() > 3 ? " and " + (tools.size() - 3) + " more" : ""),
                            place + PASSPORT)));
        }
    }
}
