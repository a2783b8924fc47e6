package dev.sheaf.server.clawhub.api;

import dev.sheaf.server.agents.BundleSkills.Target;
import dev.sheaf.server.agents.SkillSearch;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.clawhub.ClawSkills;
import dev.sheaf.server.clawhub.ClawSkills.History;
import dev.sheaf.server.clawhub.ClawSkills.Known;
import dev.sheaf.server.http.message.Call;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The JSON of ClawHub. Times are milliseconds since 1970.
final class ClawJson {
    private static final double[] SCORES = {1, 0.95, 0.8, 0.6, 0.4}; // by the hub's tiers of matches

    private ClawJson() {}

    /// Returns an object with these members, names and values by turns. Null is a value.
    static Map<String, @Nullable Object> of(@Nullable Object... members) {
        var object = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < members.length; i += 2) {
            object.put(String.valueOf(members[i]), members[i + 1]);
        }
        return object;
    }

    private static String owner(Target skill) {
        return skill.bundle().name().namespace().value();
    }

    private static String displayName(Target skill) {
        String name = ClawSkills.name(skill);
        return skill.skill(name).folder().isEmpty()
                ? skill.bundle().bundle().profile().name()
                : name;
    }

    static Map<String, @Nullable Object> identity(Target skill) {
        return of("slug", ClawSkills.name(skill), "displayName", displayName(skill), "ownerHandle", owner(skill));
    }

    static Map<String, @Nullable Object> skill(Target skill, History history) {
        var bundle = skill.bundle().bundle();
        var latest = skill.version().resolved().version();
        var tags = new TreeMap<String, String>();
        history.versions().forEach(known -> known.tags().forEach(tag -> tags.put(tag, number(known))));
        tags.put("latest", latest.version().toString());
        var all = identity(skill);
        all.putAll(of(
                "summary",
                history.summary(),
                "topics",
                bundle.profile().keywordList(),
                "tags",
                tags,
                "stats",
                Map.of()));
        all.putAll(of(
                "createdAt",
                bundle.createdAt().toEpochMilli(),
                "updatedAt",
                latest.publishedAt().toEpochMilli()));
        return all;
    }

    static Map<String, @Nullable Object> owned(Target skill) {
        return of("handle", owner(skill), "displayName", owner(skill), "image", null);
    }

    static String number(Known known) {
        return known.row().version().toString();
    }

    static Map<String, @Nullable Object> version(Known known) {
        long at = known.row().publishedAt().toEpochMilli();
        return of("version", number(known), "createdAt", at, "changelog", known.changelog());
    }

    static Map<String, @Nullable Object> version(Known known, Target target) {
        var skill = target.skill(ClawSkills.name(target));
        var version = version(known);
        version.put(
                "files",
                skill.files().stream()
                        .map(file -> of(
                                "path",
                                skill.inside(file.path()),
                                "size",
                                file.size(),
                                "sha256",
                                file.digest().hex(),
                                "contentType",
                                file.mediaType()))
                        .toList());
        version.put("security", security(known));
        return version;
    }

    // --- verdicts: of the whole version, of which the skill is a part ---

    /// Returns `clean` only if everything was read, nothing was found, and the version is not yanked.
    private static String status(Known known) {
        var risk = known.risk();
        if (risk.findings() > 0 || known.row().isYanked()) {
            return "suspicious";
        }
        return risk.extent() == VersionRisk.Extent.WHOLE ? "clean" : "pending";
    }

    static Map<String, @Nullable Object> security(Known known) {
        var risk = known.risk();
        String status = status(known);
        var signal = of("status", status, "reasonCodes", risk.kinds());
        var security =
                of("status", status, "hasWarnings", status.equals("suspicious"), "passed", status.equals("clean"));
        security.put("hasScanResult", !status.equals("pending"));
        security.put("signals", Map.of("staticScan", signal));
        return security;
    }

    /// Returns what stops a client that does not insist; null if nothing does.
    static @Nullable Map<String, @Nullable Object> moderation(Known known) {
        var risk = known.risk();
        if (!risk.isHigh() && !known.row().isYanked()) {
            return null;
        }
        var moderation = of("isSuspicious", true, "isMalwareBlocked", false, "verdict", "suspicious");
        moderation.put("reasonCodes", risk.kinds());
        moderation.put(
                "summary",
                known.row().isYanked()
                        ? "this version was yanked"
                        : "findings of high severity, see the passport of the version");
        return moderation;
    }

    static Map<String, @Nullable Object> verdict(Call call, Target skill, Known known) {
        String status = status(known);
        boolean isClean = status.equals("clean");
        var reasons = isClean
                ? List.of()
                : known.row().isYanked()
                        ? List.of("security.status_not_clean", "version.yanked")
                        : List.of("security.status_not_clean", "security." + status);
        var verdict = of("ok", isClean, "decision", isClean ? "pass" : "fail", "reasons", reasons);
        verdict.putAll(identity(skill));
        verdict.putAll(of("publisherHandle", owner(skill), "publisherDisplayName", owner(skill)));
        verdict.putAll(of(
                "version", number(known), "createdAt", known.row().publishedAt().toEpochMilli()));
        verdict.put("pageUrl", call.baseUrl() + "/" + skill.bundle().name());
        verdict.put("security", security(known));
        return verdict;
    }

    /// Returns that there is no verdict.
    ///
    /// @param missing what does not exist: `skill` or `version`
    static Map<String, @Nullable Object> noVerdict(String missing, String why) {
        var verdict = of("ok", false, "decision", "fail", "reasons", List.of(missing + ".not_found"));
        verdict.putAll(of("error", Map.of("code", missing + "_not_found", "message", why), "security", null));
        return verdict;
    }

    // --- what the hub lists ---

    static Map<String, @Nullable Object> found(SkillSearch.Match match) {
        var entry = match.entry();
        String owner = entry.ref().namespace().value();
        var found = listed(match);
        found.put("score", SCORES[Math.min(match.hit().tier(), SCORES.length - 1)]);
        found.put("version", entry.latestVersion());
        found.put("downloads", entry.counters().downloads());
        found.put("owner", of("handle", owner, "displayName", entry.publisher(), "image", null));
        return found;
    }

    static Map<String, @Nullable Object> listed(SkillSearch.Match match) {
        var entry = match.entry();
        long at = entry.counters().publishedAt();
        boolean isBundle = match.skill().equals(entry.ref().bundle().value());
        var listed = of("slug", match.skill(), "displayName", isBundle ? entry.name() : match.skill());
        listed.putAll(of("ownerHandle", entry.ref().namespace().value(), "summary", entry.summary()));
        listed.putAll(of("topics", entry.keywords().lines().toList(), "tags", Map.of("latest", entry.latestVersion())));
        listed.put(
                "stats",
                of(
                        "downloads",
                        entry.counters().downloads(),
                        "stars",
                        entry.counters().stars()));
        listed.putAll(of("createdAt", entry.createdAt().toEpochMilli(), "updatedAt", at));
        listed.put("latestVersion", of("version", entry.latestVersion(), "createdAt", at, "changelog", ""));
        return listed;
    }
}
