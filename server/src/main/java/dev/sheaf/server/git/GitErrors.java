package dev.sheaf.server.git;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Sends problems as plain text, which git prints for its user. Missing and hidden bundles get the same answer,
/// byte for byte. A caller without a credential is asked for one, so that git calls its credential helper.
final class GitErrors {
    private static final String HOW =
            "send an API key or an access token as the password, with any user name (sheaf git-credential does this)";
    private static final Pattern WITHOUT_SUFFIX = Pattern.compile("((?:/[a-z0-9._-]{1,128}){2}(?<!\\.git))/info/refs");
    private static final int MAX = 1_000;

    private GitErrors() {}

    static Answer render(Problem problem, Call call) {
        int status = call.isAskedFirst(problem) ? 401 : ProblemJson.status(problem);
        byte[] words = (cut(words(problem, call)) + "\n").getBytes(StandardCharsets.UTF_8);
        var answer = Answer.bytes(status, "text/plain; charset=utf-8", words)
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Authorization");
        if (status == 401) {
            answer = answer.with("WWW-Authenticate", "Basic realm=\"Sheaf\", charset=\"UTF-8\"");
        }
        return switch (problem) {
            case Problem.MethodNotAllowed p -> answer.with("Allow", String.join(", ", p.allowed()));
            case Problem.RateLimited p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.Unavailable p -> answer.with("Retry-After", Long.toString(p.retryAfterSeconds()));
            default -> answer;
        };
    }

    private static String words(Problem problem, Call call) {
        return switch (problem) {
            case Problem.Unauthenticated p ->
                p.fault() == CredentialFault.MISSING
                        ? "this bundle does not exist or needs credentials: " + HOW
                        : p.detail();
            case Problem.BundleNotFound p -> "the bundle does not exist, or this credential may not see it";
            case Problem.NotFound p ->
                "there is no repository at this address; clone a bundle from " + address(call)
                        + ", with smart HTTP only";
            default -> problem.detail();
        };
    }

    /// Returns the address to use. It is the same for every name, because it was not checked whether the bundle
    /// exists.
    private static String address(Call call) {
        var meant = WITHOUT_SUFFIX.matcher(call.rawPath());
        return meant.matches() ? call.baseUrl() + meant.group(1) + ".git" : "/{namespace}/{bundle}.git";
    }

    private static String cut(String words) {
        return words.length() > MAX ? words.substring(0, MAX) : words;
    }
}
