package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Protects against cross-site request forgery, wherever a cookie admits a request or is set by an answer.
/// Browsers report the origin of a request, and other programs do not hold somebody else's cookies.
public final class SameOrigin {
    private SameOrigin() {}

    /// @throws ProblemException forbidden for a request from a page of another origin
    public static void check(Call call) {
        boolean fromHere = call.header("Sec-Fetch-Site")
                .map(site -> site.equals("same-origin") || site.equals("none"))
                .orElse(true);
        boolean isOurs = call.headers("Origin").stream().allMatch(origin -> origin.equals(call.baseUrl()));
        if (!fromHere || !isOurs) {
            throw new Problem.Forbidden("a page of another site may not do this; the address of this one is "
                            + call.baseUrl() + " (setting public-url)")
                    .raise();
        }
    }
}
