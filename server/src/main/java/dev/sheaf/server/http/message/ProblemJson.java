package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Throttle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Problems as `application/problem+json` (RFC 9457, contract 1.2). 401 and the 403 of a missing scope are
/// `about:blank`; every other kind has a type whose URL leads to a page about it.
public final class ProblemJson {
    private static final String MEDIA_TYPE = "application/problem+json";
    // In bytes. Together they keep every document below 4,096 bytes.
    private static final int MAX_DETAIL = 800;
    private static final int MAX_INSTANCE = 500;
    private static final int MAX_MEMBER = 400;
    private static final int MAX_DOCUMENT = 4_095;

    private ProblemJson() {}

    /// The representation of a kind of problem.
    record Look(int status, String slug, String title, Map<String, Object> members) {}

    public static Answer render(Problem problem, Call call) {
        return switch (problem) {
            case Problem.Unauthenticated p -> unauthenticated(p, call);
            case Problem.ScopeMissing p ->
                blank(403, "Forbidden", p.detail())
                        .with(
                                "WWW-Authenticate",
                                challenge(call) + ", error=\"insufficient_scope\", scope=\"" + p.needed() + "\"");
            case Problem.GrantMissing p ->
                blank(403, "Forbidden", p.detail())
                        .with("WWW-Authenticate", challenge(call) + ", error=\"insufficient_scope\"");
            default -> typed(problem, ProblemLooks.of(problem), call);
        };
    }

    private static Answer unauthenticated(Problem.Unauthenticated problem, Call call) {
        return blank(401, "Unauthorized", problem.detail()).with("WWW-Authenticate", challenge(problem, call));
    }

    /// Returns the status of a problem.
    public static int status(Problem problem) {
        return ProblemLooks.of(problem).status();
    }

    /// Returns the slug of a problem, which is its name for programs.
    public static String code(Problem problem) {
        return ProblemLooks.of(problem).slug();
    }

    /// Returns the challenge of a 401 (RFC 6750, section 3).
    public static String challenge(Problem.Unauthenticated problem, Call call) {
        return challenge(call) + (problem.fault() == CredentialFault.MISSING ? "" : ", error=\"invalid_token\"");
    }

    private static String challenge(Call call) {
        return "Bearer realm=\"" + call.baseUrl() + "\"";
    }

    private static Answer blank(int status, String title, String detail) {
        var members = new LinkedHashMap<String, Object>();
        members.put("type", "about:blank");
        members.put("title", title);
        members.put("status", status);
        members.put("detail", cut(detail, MAX_DETAIL));
        return Answer.json(status, members, MEDIA_TYPE)
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Authorization");
    }

    private static Answer typed(Problem problem, Look look, Call call) {
        var members = new LinkedHashMap<String, Object>();
        members.put("type", call.baseUrl() + "/problems/" + look.slug());
        members.put("title", look.title());
        members.put("status", look.status());
        members.put("detail", cut(problem.detail(), MAX_DETAIL));
        members.put("instance", cut(call.rawPath(), MAX_INSTANCE));
        members.put("code", look.slug());
        members.put("requestId", call.requestId());
        look.members()
                .forEach((name, value) ->
                        members.putIfAbsent(name, value instanceof String text ? cut(text, MAX_MEMBER) : value));
        if (problem.throttle() instanceof Throttle throttle) {
            members.put("throttle", throttle.toString());
        }
        if (problem instanceof Problem.ValidationFailed failed) {
            members.put("errors", errors(failed.errors(), MAX_DOCUMENT - Json.write(members).length));
        }
        if (problem instanceof Problem.ScanBlocked blocked) {
            members.put("findings", findings(blocked.findings(), MAX_DOCUMENT - Json.write(members).length));
        }
        var answer = Answer.json(look.status(), members, MEDIA_TYPE)
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Authorization");
        return switch (problem) {
            case Problem.TotpRequired p -> answer.with("WWW-Authenticate", challenge(call));
            case Problem.RateLimited p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.Unavailable p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.RangeNotSatisfiable p -> answer.with("Content-Range", "bytes */" + p.size());
            case Problem.MethodNotAllowed p -> answer.with("Allow", String.join(", ", p.allowed()));
            default -> answer;
        };
    }

    /// Returns the errors of a 422, each with both names of its members. Leaves out errors that do not fit into
    /// `room` bytes; `errorCount` counts them too.
    private static List<Map<String, Object>> errors(List<Problem.FieldError> errors, int room) {
        var shown = new ArrayList<Map<String, Object>>();
        int left = room;
        for (var error : errors) {
            String pointer = cut(error.pointer(), MAX_MEMBER);
            String detail = cut(error.detail(), MAX_MEMBER);
            var members = new LinkedHashMap<String, Object>();
            boolean isParameter = !pointer.isEmpty() && !pointer.startsWith("/");
            members.put("pointer", isParameter ? "" : pointer); // a pointer leads into the body
            members.put("field", pointer);
            if (isParameter) {
                members.put("parameter", pointer);
            }
            members.put("detail", detail);
            members.put("message", detail);
            members.put("code", error.code());
            int length = Json.write(members).length + 1;
            if (length <= left) {
                shown.add(members);
                left -= length;
            }
        }
        return shown;
    }

    /// Returns the first findings, as many as fit into `room` bytes.
    private static List<String> findings(List<String> findings, int room) {
        var shown = new ArrayList<String>();
        int left = room;
        for (String finding : findings) {
            String text = cut(finding, MAX_MEMBER);
            int length = Json.write(text).length + 1;
            if (length > left) {
                break;
            }
            shown.add(text);
            left -= length;
        }
        return shown;
    }

    /// Truncates a text so that it takes at most about `max` bytes as JSON.
    private static String cut(String text, int max) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            bytes += c < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (bytes > max) {
                return text.substring(0, i) + "…";
            }
        }
        return text;
    }
}
