package dev.sheaf.model.wire.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Formats the progress and result of a task for people.
public final class TaskText {
    private static final String UNFINISHED = ", not finished";
    private static final String WOULD_FAIL = ", dry run: it would fail";

    /// The tasks that look for problems, and find nothing else.
    private static final Set<String> CHECKS = Set.of("fsck", "scrub");

    private TaskText() {}

    /// Returns the progress: `1,200 of 5,000 objects`. Empty for a task that has not counted anything.
    ///
    /// @param unit in the plural
    public static String progress(String unit, long done, @Nullable Long total) {
        if (total == null) {
            return done == 0 ? "" : String.format(Locale.ROOT, "%,d %s", done, counted(unit, done));
        }
        return total == 0
                ? "no " + unit
                : String.format(Locale.ROOT, "%,d of %,d %s", done, total, counted(unit, total));
    }

    private static String counted(String unit, long count) {
        return count == 1 && unit.endsWith("s") ? unit.substring(0, unit.length() - 1) : unit;
    }

    /// Returns the findings, one per line, then the heading and the counts. Escape the lines before you print
    /// them, since their text comes from a registry.
    ///
    /// @param heading the result of [#heading]
    public static List<String> result(
            String heading, Map<String, Long> counts, List<TaskRecord.Finding> findings, long omitted) {
        var lines = new ArrayList<String>();
        findings.forEach(found -> lines.add(found.subject() + "  " + found.reason()));
        if (omitted > 0) {
            lines.add(String.format(Locale.ROOT, "… and %,d more", omitted));
        }
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(heading);
        counts.forEach((name, count) -> lines.add(String.format(Locale.ROOT, "  %-24s %,12d", words(name), count)));
        if (counts.isEmpty() && !heading.endsWith(UNFINISHED) && !heading.endsWith(WOULD_FAIL)) {
            lines.add("  nothing to do");
        }
        return lines;
    }

    /// Returns the heading of a result.
    ///
    /// @param finished false if the run failed or was stopped
    /// @param findings their number
    public static String heading(String task, boolean dryRun, boolean finished, long findings) {
        if (!finished) {
            return task + (dryRun ? WOULD_FAIL : UNFINISHED);
        }
        if (findings == 0 && CHECKS.contains(task)) {
            return task + (dryRun ? ", dry run" : ", done") + ": no problems";
        }
        return task + (dryRun ? ", dry run: this is what would be done" : ", done");
    }

    /// Splits a name into words: `linksRemoved` becomes `links removed`.
    private static String words(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }
}
