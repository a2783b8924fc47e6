package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// Another bundle of the same registry that a version needs. Immutable.
///
/// @param range the versions that will do, as the publisher wrote it; always a valid [VersionRange]
/// @param optional whether the version also works without it
public record Requirement(RepositoryName bundle, String range, boolean optional) {
    /// The limit for one version.
    public static final int MOST = 100;

    /// By the name of the bundle: the order in which a version lists them.
    public static final Comparator<Requirement> BY_NAME =
            Comparator.comparing(requirement -> requirement.bundle().toString());

    /// @throws ProblemException validation-failed if the range is not valid
    public Requirement {
        range = parseRange(range);
    }

    /// Parses a range of versions, without the white space around it.
    ///
    /// @throws ProblemException validation-failed if it is not a range; an empty one must be written as `*`
    public static String parseRange(String text) {
        String range = text.strip();
        boolean isPlain = range.chars().allMatch(c -> c >= ' ' && c < 0x7F); // is printed, and stored in a line
        if (range.isEmpty() || !isPlain || VersionRange.find(range).isEmpty()) {
            throw Problem.invalid(
                    "format", Quoted.of(text) + " is not a range of versions; write one such as ^1.2 or >=1.0 <3");
        }
        return range;
    }

    /// Returns whether a version will do.
    public boolean admits(Version version) {
        return VersionRange.find(range).orElseThrow().contains(version);
    }

    /// Returns what is wrong with the requirements of one version besides each of them: there are too many, the bundle
    /// requires itself, or names another one twice. The pointers are relative to the list.
    public static List<Problem.FieldError> check(List<Requirement> requirements, RepositoryName of) {
        var errors = new ArrayList<Problem.FieldError>();
        if (requirements.size() > MOST) {
            errors.add(new Problem.FieldError(
                    "", "range", "a version requires at most " + MOST + " bundles, not " + requirements.size()));
        }
        var seen = new HashSet<RepositoryName>();
        for (int i = 0; i < requirements.size(); i++) {
            var bundle = requirements.get(i).bundle();
            if (bundle.equals(of)) {
                errors.add(new Problem.FieldError("/" + i, "range", "a bundle cannot require itself: " + bundle));
            } else if (!seen.add(bundle)) {
                errors.add(new Problem.FieldError(
                        "/" + i, "duplicate", bundle + " is required twice; write both ranges in one entry"));
            }
        }
        return errors;
    }

    /// Returns the requirements by name.
    public static List<Requirement> sorted(List<Requirement> requirements) {
        return requirements.stream().sorted(BY_NAME).toList();
    }
}
