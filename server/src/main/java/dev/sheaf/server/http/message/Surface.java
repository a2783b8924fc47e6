package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import java.util.List;
import java.util.function.Predicate;

/// A part of the service with its own conventions: its routes, its format of errors, and whether it accepts Basic
/// credentials.
///
/// @param prefix of its paths, including those without a route; the longest matching prefix wins
/// @param has selects the paths with that prefix that belong to it
/// @param gzipTaken whether its handlers unpack gzipped request bodies; others refuse them
/// @param forBrowsers whether its callers are identified only by the cookie of their session; elsewhere cookies
/// are ignored
public record Surface(
        String prefix,
        Predicate<String> has,
        boolean basicAllowed,
        boolean gzipTaken,
        boolean forBrowsers,
        ErrorRenderer errors,
        List<Route> routes) {
    private static final Predicate<String> ALL = path -> true;

    /// Renders problems for the callers of a surface.
    public interface ErrorRenderer {
        Answer render(Problem problem, Call call);
    }

    public Surface {
        routes = List.copyOf(routes);
    }

    /// A surface of all paths with the prefix.
    public Surface(String prefix, boolean basicAllowed, ErrorRenderer errors, List<Route> routes) {
        this(prefix, ALL, basicAllowed, false, false, errors, routes);
    }

    /// A surface for programs, of some paths with the prefix.
    public Surface(
            String prefix,
            Predicate<String> has,
            boolean basicAllowed,
            boolean gzipTaken,
            ErrorRenderer errors,
            List<Route> routes) {
        this(prefix, has, basicAllowed, gzipTaken, false, errors, routes);
    }

    /// Returns whether the path, as it was sent, belongs to it.
    public boolean owns(String path) {
        return path.startsWith(prefix) && has.test(path);
    }

    /// Returns whether it has all paths with its prefix. Surfaces that have only some are tried before it.
    public boolean isWhole() {
        return has == ALL;
    }
}
