package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A part of the server with its own routes and conventions, such as the API, the pages, or the OCI registry.
///
/// @param prefix the beginning of its paths, even without a route; the longest matching prefix wins
/// @param has returns whether a path with that prefix belongs to this surface
/// @param basicAllowed whether it accepts Basic credentials
/// @param gzipTaken whether its handlers decompress gzipped request bodies; other surfaces refuse them
/// @param forBrowsers whether only the cookie of a session identifies callers; other surfaces ignore cookies
/// @param errors renders its refusals
/// @param matched returns the path to look up among the routes for a path of a request
public record RouteSurface(
        String prefix,
        Predicate<String> has,
        boolean basicAllowed,
        boolean gzipTaken,
        boolean forBrowsers,
        ErrorRenderer errors,
        List<Route> routes,
        UnaryOperator<String> matched) {
    private static final Predicate<String> ALL = path -> true;

    /// Renders problems for the callers of a surface.
    public interface ErrorRenderer {
        Answer render(Problem problem, Call call);
    }

    public RouteSurface {
        routes = List.copyOf(routes);
    }

    public RouteSurface(
            String prefix,
            Predicate<String> has,
            boolean basicAllowed,
            boolean gzipTaken,
            boolean forBrowsers,
            ErrorRenderer errors,
            List<Route> routes) {
        this(prefix, has, basicAllowed, gzipTaken, forBrowsers, errors, routes, UnaryOperator.identity());
    }

    /// Returns the surface, whose routes are looked up by another path.
    public RouteSurface matching(UnaryOperator<String> path) {
        return new RouteSurface(prefix, has, basicAllowed, gzipTaken, forBrowsers, errors, routes, path);
    }

    /// Creates a surface of all paths with the prefix.
    public RouteSurface(String prefix, boolean basicAllowed, ErrorRenderer errors, List<Route> routes) {
        this(prefix, ALL, basicAllowed, false, false, errors, routes);
    }

    /// Creates a surface for programs, of some paths with the prefix.
    public RouteSurface(
            String prefix,
            Predicate<String> has,
            boolean basicAllowed,
            boolean gzipTaken,
            ErrorRenderer errors,
            List<Route> routes) {
        this(prefix, has, basicAllowed, gzipTaken, false, errors, routes);
    }

    /// Returns whether this surface answers the path.
    public boolean owns(String path) {
        return path.startsWith(prefix) && has.test(path);
    }

    /// Returns whether it has all paths with its prefix. Surfaces that have only some of them are tried first.
    public boolean isWhole() {
        return has == ALL;
    }
}
