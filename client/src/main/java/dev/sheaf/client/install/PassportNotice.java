package dev.sheaf.client.install;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportChange;
import dev.sheaf.model.passport.PassportRow;
import dev.sheaf.model.passport.PassportRule;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.passport.PassportScan;
import dev.sheaf.model.passport.PassportSummary;
import dev.sheaf.model.passport.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Tells, before anything is written, what the content can touch; of what replaces other content, only what is new.
/// Requires consent to findings of high severity in files that are not here yet, and to such files that are too large
/// to
/// be read to their end. All is read from the verified bytes, not taken from the registry.
record PassportNotice(InstallPlan plan, ThingContents contents, InstallOptions options, Progress progress) {
    private static final PassportScan.Limits LIMITS = PassportScan.Limits.INSTALLATION;
    private static final String HIGH = "high-findings";
    private static final String UNREAD = "not-read";
    private static final int MOST_NAMED = 20;
    private static final int MOST_UNREAD = 5;
    private static final int MOST_NEWS = 6;
    private static final int MOST_FINDINGS = 3;
    private static final Set<String> QUIET = Set.of("link", "outside-path"); // too many to tell each time

    private record File(LockedBundle.Placed placed, Map.Entry<String, BundlePart.Piece> file) {}

    /// What needs consent.
    ///
    /// @param high findings of high severity
    /// @param unread files that were not read to their end, in which nobody knows what is
    private record Doubts(List<String> high, List<String> unread) {
        private List<String> all() {
            return Stream.concat(high.stream(), unread.stream()).toList();
        }

        private String reason() {
            return Stream.of(
                            high.isEmpty() ? "" : "this has findings of high severity",
                            unread.isEmpty() ? "" : "this is too large to be checked as a whole")
                    .filter(one -> !one.isEmpty())
                    .collect(Collectors.joining(", and "));
        }

        private String code() {
            return high.isEmpty() ? UNREAD : HIGH;
        }
    }

    /// @param here the lock as it was last installed here
    /// @throws SheafException.NeedsConsent if neither the options nor the person who is asked accept it
    void tell(Collection<LockedBundle> entries, InstallLock here) throws IOException {
        var doubts = new Doubts(new ArrayList<>(), new ArrayList<>());
        for (var entry : entries) {
            var fresh = new ArrayList<LockedBundle.Placed>();
            var old = new ArrayList<LockedBundle.Placed>();
            var known = here.find(entry.bundle());
            var installed = known.map(LockedBundle::things);
            for (var placed : entry.things().values()) {
                if (!placed.thing().isServer() && !plan.fresh(placed).isEmpty()) {
                    fresh.add(placed);
                    installed.map(things -> things.get(placed.thing().name())).ifPresent(old::add);
                }
            }
            if (fresh.isEmpty()) {
                continue;
            }
            // what the lock says was here may be untrue, so the old content is read only from the disk
            var before = old.isEmpty() ? null : passport(old, contents::here);
            boolean isTold = tell(
                    entry.pinned().toString(), passport(fresh, contents::beginning), before, doubts, changed(fresh));
            if (isTold && known.isPresent() && !known.get().version().equals(entry.version())) {
                progress.hint("all that is new: sheaf info " + entry.pinned() + " --since "
                        + known.get().version() + "; line by line: sheaf diff "
                        + known.get().pinned() + " " + entry.version());
            }
        }
        var found = doubts.all();
        if (!found.isEmpty() && !options.acceptFindings() && !options.consent().isGiven(doubts.reason(), found)) {
            throw new SheafException.NeedsConsent(
                    doubts.reason(), doubts.code(), found, "--accept-findings", List.of());
        }
    }

    /// Returns whether there was something to tell.
    ///
    /// @param doubts receives what needs consent
    /// @param changed the paths of files whose content is not here yet
    private boolean tell(String name, Passport now, @Nullable Passport before, Doubts doubts, Set<String> changed) {
        var change = PassportChange.between(before == null ? Passport.Rows.NONE : before.rows(), now.rows());
        String words = before == null ? all(now.rows()) : news(change);
        if (!words.isEmpty()) {
            progress.notice(name + (before == null ? " " : ", new: ") + words);
        }
        if (!now.isRead()) {
            progress.notice(name + " was not read as a whole: it is large, or contains archives");
        }
        doubts.unread().addAll(unread(name, now, changed));
        // also of a finding that was there before: a finding is only the beginning of what a changed file does
        var grave = now.rows().findings(Severity.HIGH).stream()
                .filter(finding -> finding.places().stream().anyMatch(place -> changed.contains(place.path())))
                .toList();
        grave.stream().limit(MOST_NAMED).forEach(finding -> doubts.high().add(name + ": " + text(finding)));
        if (grave.size() > MOST_NAMED) {
            doubts.high().add(name + ": and " + (grave.size() - MOST_NAMED) + " more");
        }
        var findings = change.added().findings(Severity.MEDIUM);
        findings.stream()
                .limit(MOST_FINDINGS)
                .forEach(finding -> progress.notice(name + ", look first: " + text(finding)));
        if (findings.size() > MOST_FINDINGS) {
            progress.notice(name + ", look first: " + (findings.size() - MOST_FINDINGS) + " more findings");
        }
        return !words.isEmpty() || !findings.isEmpty();
    }

    private static List<String> unread(String name, Passport now, Set<String> changed) {
        var all = now.unread().stream().filter(Passport.Unread::wantsConsent).toList();
        boolean isWholeList = all.size() < Passport.MAX_UNREAD;
        var some = all.stream()
                .map(Passport.Unread::path)
                .filter(path -> !isWholeList || changed.contains(path))
                .toList();
        var lines = new ArrayList<String>();
        some.stream().limit(MOST_UNREAD).forEach(path -> lines.add(name + ": not read to its end: " + path));
        if (some.size() > MOST_UNREAD) {
            lines.add(
                    name + ": and " + (some.size() - MOST_UNREAD) + (isWholeList ? " more files" : " or more others"));
        }
        return lines;
    }

    private Set<String> changed(List<LockedBundle.Placed> things) {
        return things.stream()
                .flatMap(placed -> plan.fresh(placed).stream()
                        .flatMap(inside -> Stream.concat(
                                Stream.of(path(placed.thing(), inside)),
                                placed.thing().isPlugin() ? Stream.of(inside) : Stream.of())))
                .collect(Collectors.toSet());
    }

    private static String text(Passport.Entry finding) {
        String text = PassportRules.find(finding.rule()).map(PassportRule::text).orElse(finding.rule());
        var place = finding.places().getFirst();
        return text + ": " + finding.what() + " (" + place.path() + ":" + place.line() + ")";
    }

    private static String all(Passport.Rows rows) {
        var parts = new ArrayList<String>();
        for (var row : PassportRow.values()) {
            if (row == PassportRow.INSTRUCTIONS) {
                continue; // findings are told one by one
            }
            var phrases = PassportSummary.of(row, loud(rows.of(row)));
            if (!phrases.isEmpty()) {
                parts.add(verb(row) + " "
                        + phrases.stream().map(PassportSummary.Phrase::toString).collect(Collectors.joining(", ")));
            }
        }
        return String.join("; ", parts);
    }

    private static String verb(PassportRow row) {
        return switch (row) {
            case RUNS -> "can run";
            case REACHES -> "reaches";
            case TOOLS -> "asks for";
            case SECRETS -> "reads";
            case LEAVES_BEHIND -> "leaves behind";
            case INSTRUCTIONS -> "says";
        };
    }

    private static List<Passport.Entry> loud(List<Passport.Entry> entries) {
        return entries.stream().filter(entry -> !QUIET.contains(entry.rule())).toList();
    }

    private static String news(PassportChange change) {
        var news = new ArrayList<PassportSummary.News>();
        for (var row : PassportRow.values()) {
            if (row != PassportRow.INSTRUCTIONS) {
                PassportSummary.news(row, change).stream()
                        .filter(one ->
                                one.isAdded() && !QUIET.contains(one.entry().rule()))
                        .forEach(news::add);
            }
        }
        String named = news.stream()
                .limit(MOST_NEWS)
                .map(PassportSummary.News::toString)
                .collect(Collectors.joining(", "));
        return named + (news.size() > MOST_NEWS ? " and " + (news.size() - MOST_NEWS) + " more" : "");
    }

    /// Returns the beginning of a file.
    private interface Reading {
        byte[] beginning(LockedBundle.Placed placed, Map.Entry<String, BundlePart.Piece> file, int most)
                throws IOException;
    }

    private static Passport passport(List<LockedBundle.Placed> things, Reading reading) {
        var files = new HashMap<String, File>();
        var sources = new ArrayList<PassportScan.Source>();
        for (var placed : things) {
            for (var file : placed.thing().files().entrySet()) {
                String path = path(placed.thing(), file.getKey());
                var known = new File(placed, file);
                if (placed.thing().isPlugin()) {
                    var same = files.get(file.getKey());
                    if (same != null && same.file().getValue().equals(file.getValue())) {
                        continue; // a skill or an agent of the plugin, which is read already
                    }
                    path = same == null ? file.getKey() : path;
                }
                files.put(path, known);
                long size = sources.size() < LIMITS.files() ? beginning(known, reading).length : LIMITS.file() + 1L;
                sources.add(new PassportScan.Source(path, size, file.getValue().executable()));
            }
        }
        return PassportScan.of(sources, LIMITS)
                .scan(path -> Optional.ofNullable(files.get(path)).map(file -> beginning(file, reading)), () -> {});
    }

    /// Returns a path as in a bundle, so that the rules for skills and agents apply.
    private static String path(BundlePart thing, String inside) {
        String folder = thing.name().kind() + "/" + thing.name().name();
        return inside.isEmpty() ? folder + ".md" : folder + "/" + inside;
    }

    private static byte[] beginning(File file, Reading reading) {
        try {
            return reading.beginning(file.placed(), file.file(), LIMITS.file() + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
