package dev.sheaf.server.bundle.passport;

import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.check.ContentChecks;
import java.util.ArrayList;
import java.util.List;

/// Lists what the registry itself finds in a version: the findings of its passport, secrets, and what was not read.
public final class ScanFindings {
    private static final String SECRET_ADVICE = "Revoke it, and take it out.";

    /// The config of a manifest of another program: readers get it, and nobody lists it.
    public static final ScanFinding NO_CONFIG = new ScanFinding(
            ScanFinding.NOT_READ,
            null,
            null,
            null,
            "The config of the manifest was not read",
            "Look at it yourself.",
            null);

    private ScanFindings() {}

    /// Returns the findings, the worst first, and then what was not read.
    public static List<ScanFinding> of(Passport passport, List<ContentChecks.Warning> warnings) {
        var found = new ArrayList<ScanFinding>();
        passport.rows().findings(Severity.INFO).forEach(entry -> found.add(finding(entry)));
        warnings.stream()
                .filter(warning -> warning.code().equals(VersionRisk.SECRET))
                .map(warning -> new ScanFinding(
                        warning.code(),
                        Severity.MEDIUM.toString(),
                        warning.path().value(),
                        null,
                        warning.detail(),
                        SECRET_ADVICE,
                        null))
                .forEach(secret -> found.add(firstBelow(found, Severity.MEDIUM), secret));
        passport.unread().forEach(unread -> found.add(notRead(unread)));
        return found;
    }

    private static int firstBelow(List<ScanFinding> found, Severity severity) {
        int place = 0;
        while (place < found.size()
                && (Severity.HIGH.toString().equals(found.get(place).severity())
                        || severity.toString().equals(found.get(place).severity()))) {
            place++;
        }
        return place;
    }

    private static ScanFinding finding(Passport.Entry entry) {
        var rule = PassportRules.find(entry.rule());
        var place = entry.places().isEmpty() ? null : entry.places().getFirst();
        String more = entry.count() > 1 ? ", and in " + (entry.count() - 1) + " more places" : "";
        return new ScanFinding(
                entry.rule(),
                entry.severity(),
                place == null ? null : place.path(),
                place == null ? null : place.line(),
                rule.map(known -> known.text() + ": ").orElse("") + entry.what() + more,
                rule.map(known -> known.advice()).orElse(null),
                null);
    }

    private static ScanFinding notRead(Passport.Unread unread) {
        return new ScanFinding(
                ScanFinding.NOT_READ,
                null,
                unread.path().isEmpty() ? null : unread.path(),
                null,
                unreadText(unread.reason()),
                "Look at it yourself.",
                null);
    }

    private static String unreadText(String reason) {
        return switch (reason) {
            case "beginning" -> "Only its beginning was read";
            case "archive" -> "An archive, whose files were not read";
            case "document" -> "A document or database, whose text was not read";
            case "more-entries" -> "More was found than is listed";
            default -> "Not read, because a scan reads only so much of a version";
        };
    }
}
