package dev.sheaf.server.scan.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.bundle.review.PushScan;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.scan.ScanAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The questions to scanners and their answers as JSON. All texts of an answer are a stranger's: they are cut, and
/// what cannot be seen is written out.
public final class ScanAnswers {
    /// The limit of findings in an answer.
    static final int MOST = 1_000;

    private static final int MAX_RULE = 100;
    private static final int MAX_PATH = 1_000;
    private static final int MAX_TEXT = 500;

    private ScanAnswers() {}

    /// Returns a question.
    ///
    /// @param base the address of this registry; empty if it is not known
    public static byte[] question(String base, PushScan scan, Review review, String token, Instant expiresAt) {
        var members = new LinkedHashMap<String, Object>();
        members.put("scanId", scan.id().toString());
        members.put("namespace", review.ref().namespace().value());
        members.put("bundle", review.ref().bundle().value());
        members.put("version", review.version().toString());
        members.put("digest", review.digest().toString());
        members.put("pull", base + "/v1/scans/" + scan.id());
        members.put("token", token);
        members.put("expiresAt", expiresAt.toString());
        return Json.write(members);
    }

    /// Reads `{digest, verdict, findings}`, or `{digest, verdict, sarif}` with a log of SARIF 2.1.0.
    ///
    /// @throws ProblemException validation-failed, bad-request
    public static ScanAnswer parse(byte[] body, String scanner) {
        var root = Json.read(body);
        if (!root.isObject()) {
            throw wrong("", "must be an object");
        }
        return new ScanAnswer(digest(root), verdict(root), findings(root, scanner));
    }

    private static ProblemException wrong(String member, String detail) {
        return new Problem.ValidationFailed(List.of(new Problem.FieldError(
                        member.isEmpty() ? "" : "/" + member,
                        "format",
                        (member.isEmpty() ? "the object" : Quoted.of(member)) + " " + detail)))
                .raise();
    }

    private static Digest digest(JsonNode root) {
        try {
            return Digest.parse(text(root, "digest"));
        } catch (ProblemException e) {
            throw wrong("digest", "is required: the digest that was scanned, as in the question");
        }
    }

    private static PushScan.Verdict verdict(JsonNode root) {
        return switch (text(root, "verdict")) {
            case "allow" -> PushScan.Verdict.ALLOW;
            case "review" -> PushScan.Verdict.REVIEW;
            case "block" -> PushScan.Verdict.BLOCK;
            default -> throw wrong("verdict", "is required: allow, review or block");
        };
    }

    private static List<ScanFinding> findings(JsonNode root, String scanner) {
        var found = new ArrayList<ScanFinding>();
        for (var finding : list(root, "findings")) {
            found.add(finding(finding, scanner));
        }
        for (var run : list(root.path("sarif"), "runs")) {
            for (var result : list(run, "results")) {
                found.add(ofSarif(result, scanner));
                if (found.size() > MOST) {
                    break;
                }
            }
        }
        if (found.size() > MOST) {
            throw wrong("findings", "must have at most " + MOST + " entries");
        }
        return found;
    }

    private static Iterable<JsonNode> list(JsonNode of, String member) {
        var list = of.path(member);
        if (list.isMissingNode() || list.isNull()) {
            return List.of();
        }
        if (!list.isArray() || list.size() > MOST) {
            throw wrong(member, "must be an array of at most " + MOST + " entries");
        }
        return list;
    }

    private static ScanFinding finding(JsonNode of, String scanner) {
        String severity = text(of, "severity").toLowerCase(Locale.ROOT);
        return new ScanFinding(
                rule(text(of, "rule")),
                WireWords.find(Severity.class, severity).orElse(Severity.MEDIUM).toString(),
                orNull(clean(text(of, "path"), MAX_PATH)),
                line(of.path("line")),
                clean(text(of, "text"), MAX_TEXT),
                orNull(clean(text(of, "advice"), MAX_TEXT)),
                scanner);
    }

    private static ScanFinding ofSarif(JsonNode result, String scanner) {
        var place = result.path("locations").path(0).path("physicalLocation");
        var severity = switch (text(result, "level")) {
            case "error" -> Severity.HIGH;
            case "note" -> Severity.LOW;
            case "none" -> Severity.INFO;
            default -> Severity.MEDIUM;
        };
        return new ScanFinding(
                rule(text(result, "ruleId")),
                severity.toString(),
                orNull(clean(text(place.path("artifactLocation"), "uri"), MAX_PATH)),
                line(place.path("region").path("startLine")),
                clean(text(result.path("message"), "text"), MAX_TEXT),
                null,
                scanner);
    }

    private static String rule(String text) {
        String rule = clean(text, MAX_RULE);
        return rule.isEmpty() ? "finding" : rule;
    }

    private static @Nullable Integer line(JsonNode of) {
        return of.isInt() && of.intValue() > 0 ? of.intValue() : null;
    }

    private static String text(JsonNode of, String member) {
        var text = of.path(member);
        return text.isString() ? text.stringValue() : "";
    }

    private static String clean(String text, int most) {
        return Quoted.line(text.strip(), most);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
