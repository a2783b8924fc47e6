package dev.sheaf.server.http.v1;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.http.ProblemJson;

/// Problems as OAuth writes them (RFC 6749, section 5.2; RFC 6750, section 3).
public final class OAuthErrors {
    private OAuthErrors() {}

    private record Body(
            String error, @JsonProperty("error_description") String description) {}

    public static Answer render(Problem problem, Call call) {
        return switch (problem) {
            case Problem.TokenRefused p -> body(400, p.error().toString(), p.detail());
            case Problem.Unauthenticated p ->
                body(401, p.fault() == CredentialFault.MISSING ? "invalid_client" : "invalid_token", p.detail())
                        .with("WWW-Authenticate", ProblemJson.challenge(p, call));
            case Problem.ScopeMissing p -> body(403, "insufficient_scope", p.detail());
            case Problem.Credential p -> body(403, "unauthorized_client", p.detail());
            case Problem.Internal p -> body(500, "server_error", p.detail());
            case Problem.Unavailable p ->
                body(503, "temporarily_unavailable", p.detail())
                        .with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.RateLimited p ->
                body(429, "temporarily_unavailable", p.detail())
                        .with("Retry-After", Long.toString(p.retryAfterSeconds()));
            case Problem.MethodNotAllowed p ->
                body(405, OAuthError.INVALID_REQUEST.toString(), p.detail())
                        .with("Allow", String.join(", ", p.allowed()));
            case Problem.Misdirected p -> body(421, OAuthError.INVALID_REQUEST.toString(), p.detail());
            case Problem.UnsupportedMediaType p -> body(415, OAuthError.INVALID_REQUEST.toString(), p.detail());
            case Problem.HeadUnfit p -> body(ProblemJson.status(p), OAuthError.INVALID_REQUEST.toString(), p.detail());
            case Problem.PayloadTooLarge p -> body(413, OAuthError.INVALID_REQUEST.toString(), p.detail());
            case Problem.Missing p -> body(404, OAuthError.INVALID_REQUEST.toString(), p.detail());
            default -> body(400, OAuthError.INVALID_REQUEST.toString(), problem.detail());
        };
    }

    /// The description may hold what was sent; RFC 6749 has only printable ASCII but quotes and backslashes there.
    private static Answer body(int status, String error, String detail) {
        String description = detail.replace('"', '\'').replaceAll("[^\\x20-\\x5B\\x5D-\\x7E]", "?");
        return Answer.json(
                        status,
                        new Body(error, description.length() > 800 ? description.substring(0, 800) : description))
                .with("Cache-Control", "no-store");
    }
}
