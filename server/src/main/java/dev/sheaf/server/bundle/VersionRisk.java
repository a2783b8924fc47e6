package dev.sheaf.server.bundle;

import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.passport.Severity;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How much a reader should look at before using a version: the findings of its passport from medium on, and what the
/// content checks found besides. All lists and pages use this rule.
///
/// @param findings the number of findings
/// @param worst the severity of the worst; null if there is none
/// @param kinds the passport's rules and the codes of the checks, sorted
/// @param extent how much of the version was read
/// @param runs whether the passport has something that runs: scripts, programs, hooks or servers; null if it is not
/// known
public record VersionRisk(
        int findings,
        @Nullable Severity worst,
        List<String> kinds,
        Extent extent,
        @Nullable Boolean runs) {
    /// Which rules a version was read by, and, behind the point, which edition of this record was kept. Versions with
    /// an earlier text are read again.
    static final String RULES = PassportRules.DATE + ".3";

    /// The code of a content check about a secret in a file, which is a finding of its own.
    public static final String SECRET = "probable-secret";

    private static final String NOT_CHECKED = "not-checked";
    /// Codes about other programs, or about the checks: they say nothing bad of the content.
    private static final Set<String> NOTES = Set.of("binary", "not-in-git", NOT_CHECKED);

    private static final Set<String> HIDDEN =
            Set.of("bidirectional-control", "invisible-character", "control-character");
    private static final Set<String> HIDDEN_RULES =
            Set.of("hidden-bidi", "hidden-message", "hidden-characters", "control-characters");

    /// How much of a version was read for its passport.
    public enum Extent {
        NONE,
        PART,
        WHOLE;

        /// Returns the name on the wire and in the database, in lower case.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public VersionRisk {
        kinds = List.copyOf(kinds);
    }

    /// @param passport null if there is none
    /// @param codes the code of each warning of the content checks
    public static VersionRisk of(@Nullable Passport passport, Collection<String> codes) {
        var grave = grave(passport);
        var kinds = new TreeSet<String>();
        grave.forEach(finding -> kinds.add(finding.rule()));
        var checked = codes.stream().filter(besides(passport)).toList();
        kinds.addAll(checked);
        var least = checked.isEmpty() ? null : Severity.MEDIUM;
        return new VersionRisk(
                grave.size() + checked.size(),
                grave.isEmpty() ? least : grave.getFirst().level().orElse(least),
                List.copyOf(kinds),
                passport == null
                        ? Extent.NONE
                        : passport.isRead() && !codes.contains(NOT_CHECKED) ? Extent.WHOLE : Extent.PART,
                passport == null ? null : (Boolean) !passport.rows().runs().isEmpty());
    }

    private static List<Passport.Entry> grave(@Nullable Passport passport) {
        return passport == null ? List.of() : passport.rows().findings(Severity.MEDIUM);
    }

    /// Returns which codes of the content checks are findings besides those of the passport.
    ///
    /// @param passport null if there is none
    public static Predicate<String> besides(@Nullable Passport passport) {
        // the passport has hidden characters too, but takes some of them for harmless
        boolean isHiddenKnown = grave(passport).stream().anyMatch(finding -> HIDDEN_RULES.contains(finding.rule()));
        return code -> isFinding(code) && !(isHiddenKnown && HIDDEN.contains(code));
    }

    /// Returns whether a warning of the content checks is a finding, and not only a note.
    public static boolean isFinding(String code) {
        return !NOTES.contains(code);
    }

    public boolean isHigh() {
        return worst == Severity.HIGH;
    }

    public boolean isWhole() {
        return extent == Extent.WHOLE;
    }

    /// Returns whether all was read and nothing found.
    public boolean isClean() {
        return isWhole() && findings == 0;
    }

    public boolean isPart() {
        return extent == Extent.PART;
    }

    /// Returns what to say of a version without findings.
    public String withoutFindings() {
        return switch (extent) {
            case NONE -> "Not checked";
            case PART -> "Nothing found in what was read";
            case WHOLE -> "Nothing found";
        };
    }
}
