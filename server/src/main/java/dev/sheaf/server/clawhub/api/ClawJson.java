package dev.sheaf.server.clawhub.api;

import static dev.sheaf.server.clawhub.api.ClawObject.of;

import dev.sheaf.server.agents.BundleSkills.Target;
import dev.sheaf.server.agents.SkillSearch;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.clawhub.ClawSkills.History;
import dev.sheaf.server.clawhub.ClawSkills.Known;
import dev.sheaf.server.http.message.Call;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The JSON of ClawHub. Times are milliseconds since 1970.
final class ClawJson {
    private static final double[] SCORES = {1, 0.95, 0.8, 0.6, 0.4}; // by the hub's tiers of matches

    private ClawJson() {}

    static ClawObject identity(Target skill) {
        var one = skill.one();
        boolean isBundle = one.folder().isEmpty();
        return of("slug", one.name())
                .and("displayName", isBundle ? skill.bundle().bundle().profile().name() : one.name())
                .and("ownerHandle", skill.bundle().name().namespace().value());
    }

    static ClawObject owner(@Nullable String handle, @Nullable String displayName) {
        return of("handle", handle, "displayName", displayName, "image", null);
    }

    static ClawObject skill(Target skill, History history) {
        var bundle = skill.bundle().bundle();
        var latest = skill.version().resolved().version();
        var tags = new TreeMap<String, String>();
        history.versions().forEach(known -> known.tags().forEach(tag -> tags.put(tag, known.number())));
        tags.put("latest", latest.version().toString());
        return identity(skill)
                .and("summary", history.summary(), "topics", bundle.profile().keywordList())
                .and("tags", tags, "stats", Map.of())
                .and("createdAt", bundle.createdAt().toEpochMilli())
                .and("updatedAt", latest.publishedAt().toEpochMilli());
    }

    static ClawObject version(Known known) {
        return of("version", known.number(), "createdAt", known.at(), "changelog", known.changelog());
    }

    static ClawObject version(Known known, Target target) {
        var skill = target.one();
        var files = skill.files().stream()
                .map(file -> of("path", skill.inside(file.path()), "size", file.size())
                        .and("sha256", file.digest().hex(), "contentType", file.mediaType()))
                .toList();
        return version(known).and("files", files, "security", security(known));
    }

    // --- verdicts: of the whole version, of which the skill is a part ---

    /// Returns `clean` only if everything was read, nothing was found, and the version is not yanked.
    private static String status(Known known) {
        if (known.risk().findings() > 0 || known.row().isYanked()) {
            return "suspicious";
        }
        return known.risk().extent() == VersionRisk.Extent.WHOLE ? "clean" : "pending";
    }

    static ClawObject security(Known known) {
        String status = status(known);
        var signal = of("status", status, "reasonCodes", known.risk().kinds());
        return of("status", status, "hasWarnings", status.equals("suspicious"), "passed", status.equals("clean"))
                .and("hasScanResult", !status.equals("pending"), "signals", Map.of("staticScan", signal));
    }

    /// Returns what stops a client that does not insist; null if nothing does.
    static @Nullable ClawObject moderation(Known known) {
        return !known.risk().isHigh()
                ? null
                : of("isSuspicious", true, "isMalwareBlocked", false, "verdict", "suspicious")
                        .and("reasonCodes", known.risk().kinds())
                        .and("summary", "findings of high severity, see the passport of the version");
    }

    static ClawObject verdict(Call call, Target skill, Known known) {
        String status = status(known);
        boolean isClean = status.equals("clean");
        String reason = known.row().isYanked() ? "version.yanked" : "security." + status;
        String owner = skill.bundle().name().namespace().value();
        return identity(skill)
                .and("ok", isClean, "decision", isClean ? "pass" : "fail")
                .and("reasons", isClean ? List.of() : List.of("security.status_not_clean", reason))
                .and("publisherHandle", owner, "publisherDisplayName", owner)
                .and("version", known.number(), "createdAt", known.at())
                .and("pageUrl", call.baseUrl() + "/" + skill.bundle().name(), "security", security(known));
    }

    // --- what the hub lists ---

    /// Returns what a search found. OpenClaw leaves out what does not say its source.
    static ClawObject found(SkillSearch.Match match) {
        var entry = match.entry();
        return listed(match)
                .and("source", "clawhub", "score", SCORES[Math.min(match.hit().tier(), SCORES.length - 1)])
                .and("version", entry.latestVersion())
                .and("downloads", entry.counters().downloads());
    }

    static ClawObject listed(SkillSearch.Match match) {
        var entry = match.entry();
        var counters = entry.counters();
        long at = counters.publishedAt();
        boolean isBundle = match.skill().equals(entry.ref().bundle().value());
        return of("slug", match.skill(), "displayName", isBundle ? entry.name() : match.skill())
                .and("ownerHandle", entry.ref().namespace().value(), "summary", entry.summary())
                .and("topics", entry.keywords().lines().toList(), "tags", Map.of("latest", entry.latestVersion()))
                .and("stats", of("downloads", counters.downloads(), "stars", counters.stars()))
                .and("createdAt", entry.createdAt().toEpochMilli(), "updatedAt", at)
                .and("latestVersion", of("version", entry.latestVersion(), "createdAt", at, "changelog", ""));
    }
}
