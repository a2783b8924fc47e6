package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import java.util.List;

/// A part of the service with one way to speak: its routes, how it writes errors, and whether Basic credentials are
/// taken.
///
/// @param prefix the paths that belong to it, those without a route too; the longest matching prefix wins
public record Surface(String prefix, boolean basicAllowed, ErrorRenderer errors, List<Route> routes) {
    /// Says what a problem looks like to the callers of a surface.
    public interface ErrorRenderer {
        Answer render(Problem problem, Call call);
    }

    public Surface {
        routes = List.copyOf(routes);
    }
}
