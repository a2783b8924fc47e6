package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Protects against cross-site request forgery, for requests that a cookie admits and for answers that set a
/// cookie. Browsers send the origin of a request. Other clients have no cookies of another person, so they need
/// not send it.
public final class SameOrigin {
    private SameOrigin() {}

    /// @throws ProblemException forbidden if the request comes from a page of another origin
    public static void check(Call call) {
        boolean fromHere = call.header("Sec-Fetch-Site")
                .map(site -> site.equals("same-origin") || site.equals("none"))
                .orElse(true);
        boolean isOurs = call.headers("Origin").stream().allMatch(origin -> origin.equals(call.baseUrl()));
        if (!fromHere || !isOurs) {
            throw new Problem.Forbidden("a page of another site may not send this request; the address of this site is "
                            + call.baseUrl() + " (setting public-url)")
                    .raise();
        }
    }
}
