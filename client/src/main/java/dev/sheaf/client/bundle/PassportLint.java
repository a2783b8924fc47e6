package dev.sheaf.client.bundle;

import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportRule;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.passport.PassportScan;
import dev.sheaf.model.passport.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Looks at files as the skill passport of a registry will, so that their author knows its findings first.
final class PassportLint {
    private PassportLint() {}

    static List<Finding> check(List<LocalAsset> assets) {
        var files = new HashMap<String, LocalAsset>();
        assets.forEach(asset -> files.put(asset.path().value(), asset));
        var scan = PassportScan.of(assets.stream()
                .map(asset -> new PassportScan.Source(asset.path().value(), SkillLint.size(asset), asset.executable()))
                .toList());
        var passport = scan.scan(
                path -> Optional.ofNullable(files.get(path))
                        .map(asset -> SkillLint.beginning(asset, PassportScan.Limits.REGISTRY.file())),
                () -> {});
        return passport.rows().findings(Severity.MEDIUM).stream()
                .map(PassportLint::finding)
                .toList();
    }

    private static Finding finding(Passport.Entry entry) {
        var rule = PassportRules.find(entry.rule());
        boolean isHigh = entry.level().filter(Severity.HIGH::equals).isPresent();
        var place = entry.places().getFirst();
        return Finding.warning(
                place.path(),
                place.line(),
                "finding of " + (isHigh ? "high" : "medium") + " severity: "
                        + rule.map(PassportRule::text).orElse(entry.rule()) + ": " + entry.what()
                        + (entry.count() > 1 ? ", in " + entry.count() + " places" : "")
                        + (isHigh ? "; everyone who installs this is asked first" : ""));
    }
}
