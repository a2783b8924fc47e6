package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Where a cookie is what lets a request in, or what an answer leaves behind, pages of other sites must not be able
/// to send it (cross-site request forgery). Browsers say from where a request comes, and other programs hold no
/// cookies of somebody else's.
public final class SameOrigin {
    private SameOrigin() {}

    /// @throws ProblemException forbidden for a request that a page of another origin sent
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
