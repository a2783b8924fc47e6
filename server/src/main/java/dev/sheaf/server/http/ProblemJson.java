package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Problems as `application/problem+json` (RFC 9457, contract 1.2). 401 and the 403 of a missing scope are
/// `about:blank`; every other kind has a type whose URL answers with a page about it.
public final class ProblemJson {
    private static final String MEDIA_TYPE = "application/problem+json";
    private static final int MAX_ERRORS_LENGTH = 3_000; // keeps a document under 4,096 bytes

    private ProblemJson() {}

    /// What a kind looks like: its status, slug and title, and the values of its sentence as members.
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
        String sent = problem.fault() == CredentialFault.MISSING ? "" : ", error=\"invalid_token\"";
        return blank(401, "Unauthorized", problem.detail()).with("WWW-Authenticate", challenge(call) + sent);
    }

    private static String challenge(Call call) {
        return "Bearer realm=\"" + call.baseUrl() + "\"";
    }

    private static Answer blank(int status, String title, String detail) {
        var members = new LinkedHashMap<String, Object>();
        members.put("type", "about:blank");
        members.put("title", title);
        members.put("status", status);
        members.put("detail", detail);
        return Answer.json(status, members, MEDIA_TYPE).with("Cache-Control", "no-store");
    }

    private static Answer typed(Problem problem, Look look, Call call) {
        var members = new LinkedHashMap<String, Object>();
        members.put("type", call.baseUrl() + "/problems/" + look.slug());
        members.put("title", look.title());
        members.put("status", look.status());
        members.put("detail", problem.detail());
        members.put("instance", call.rawPath());
        members.put("code", look.slug());
        members.put("requestId", call.requestId());
        look.members().forEach(members::putIfAbsent);
        var answer = Answer.json(look.status(), members, MEDIA_TYPE).with("Cache-Control", "no-store");
        return switch (problem) {
            case Problem.RateLimited p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.Unavailable p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.MethodNotAllowed p -> answer.with("Allow", String.join(", ", p.allowed()));
            default -> answer;
        };
    }

    /// The errors of a 422, each with both spellings of its members; of very many, those that fit, while
    /// `errorCount` tells all.
    static List<Map<String, Object>> errors(List<Problem.FieldError> errors) {
        var shown = new ArrayList<Map<String, Object>>();
        int length = 0;
        for (var error : errors) {
            length += 80 + 2 * (error.pointer().length() + error.detail().length());
            if (length > MAX_ERRORS_LENGTH && !shown.isEmpty()) {
                break;
            }
            var members = new LinkedHashMap<String, Object>();
            members.put("pointer", error.pointer());
            members.put("field", error.pointer());
            members.put("detail", error.detail());
            members.put("message", error.detail());
            members.put("code", error.code());
            shown.add(members);
        }
        return shown;
    }
}
