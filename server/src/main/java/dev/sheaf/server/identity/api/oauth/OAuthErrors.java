package dev.sheaf.server.identity.api.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import org.jspecify.annotations.Nullable;

/// Problems in the format of OAuth (RFC 6749, section 5.2; RFC 6750, section 3).
public final class OAuthErrors {
    private static final String LATER = "temporarily_unavailable";

    private OAuthErrors() {}

    /// @param throttle a member of our own: the limit that refused because of load
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Body(
            String error,
            @JsonProperty("error_description") String description,
            @Nullable String throttle) {}

    /// Renders a problem. The `switch` has no default, so a new kind does not compile until it has a case here.
    public static Answer render(Problem problem, Call call) {
        return switch (problem) {
            case Problem.Credential p -> credential(p, call);
            case Problem.Missing p -> invalid(404, p);
            case Problem.Clash p -> invalid(400, p);
            case Problem.Input p -> input(p);
            case Problem.Service p -> service(p);
            case Problem.Registry p -> invalid(400, p);
        };
    }

    private static Answer invalid(int status, Problem problem) {
        return body(status, OAuthError.INVALID_REQUEST.toString(), problem);
    }

    private static Answer credential(Problem.Credential problem, Call call) {
        return switch (problem) {
            case Problem.Unauthenticated p ->
                body(401, p.fault() == CredentialFault.MISSING ? "invalid_client" : "invalid_token", p)
                        .with("WWW-Authenticate", ProblemJson.challenge(p, call));
            case Problem.ScopeMissing p -> body(403, "insufficient_scope", p);
            case Problem.TotpRequired p -> unauthorized(p);
            case Problem.GrantMissing p -> unauthorized(p);
            case Problem.NotOwner p -> unauthorized(p);
            case Problem.NotAdministrator p -> unauthorized(p);
            case Problem.Forbidden p -> unauthorized(p);
            case Problem.ReviewNeedsPerson p -> unauthorized(p);
        };
    }

    private static Answer unauthorized(Problem.Credential problem) {
        return body(403, "unauthorized_client", problem);
    }

    private static Answer input(Problem.Input problem) {
        return switch (problem) {
            case Problem.TokenRefused p -> body(400, p.error().toString(), p);
            case Problem.MethodNotAllowed p -> invalid(405, p).with("Allow", String.join(", ", p.allowed()));
            case Problem.UnsupportedMediaType p -> invalid(415, p);
            case Problem.PayloadTooLarge p -> invalid(413, p);
            case Problem.LargerThanQuota p -> invalid(400, p);
            case Problem.ValidationFailed p -> invalid(400, p);
            case Problem.BadRequest p -> invalid(400, p);
            case Problem.ReviewImpossible p -> invalid(422, p);
            case Problem.ScanBlocked p -> invalid(422, p);
            case Problem.ClosureTooLarge p -> invalid(422, p);
            case Problem.RequirementNotReadable p -> invalid(422, p);
            case Problem.InvalidCursor p -> invalid(400, p);
            case Problem.NotAcceptable p -> invalid(406, p);
            case Problem.Misdirected p -> invalid(421, p);
            case Problem.HeadUnfit p -> invalid(ProblemJson.status(p), p);
        };
    }

    private static Answer service(Problem.Service problem) {
        return switch (problem) {
            case Problem.Internal p -> body(500, "server_error", p);
            case Problem.Unavailable p -> later(503, p, p.retryAfterSeconds());
            case Problem.RateLimited p -> later(429, p, p.retryAfterSeconds());
            case Problem.TooManyUploads p -> body(503, LATER, p);
            case Problem.StorageFull p -> body(503, LATER, p);
            case Problem.QuotaExceeded p -> body(503, LATER, p);
            case Problem.TooManyJobs p -> body(503, LATER, p);
        };
    }

    private static Answer later(int status, Problem problem, long seconds) {
        return body(status, LATER, problem).with("Retry-After", Long.toString(seconds));
    }

    /// Returns an error. RFC 6749 allows only printable ASCII without quotes and backslashes in the
    /// description, which may contain input.
    private static Answer body(int status, String error, Problem problem) {
        String description = problem.detail().replace('"', '\'').replaceAll("[^\\x20-\\x5B\\x5D-\\x7E]", "?");
        return Answer.json(
                        status,
                        new Body(
                                error,
                                description.length() > 800 ? description.substring(0, 800) : description,
                                problem.throttle() instanceof Throttle throttle ? throttle.toString() : null))
                .with("Cache-Control", "no-store");
    }
}
