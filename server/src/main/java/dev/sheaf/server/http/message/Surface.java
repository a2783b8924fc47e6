package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import java.util.List;
import java.util.function.Predicate;

/// A part of the service with one way to speak: its routes, how it writes errors, and whether Basic credentials are
/// taken.
///
/// @param prefix of the paths that belong to it, those without a route too; the longest matching prefix wins
/// @param has of the paths with that prefix those that belong to it
/// @param gzipTaken whether its handlers unpack request bodies that are packed with gzip; others refuse them
/// @param forBrowsers whether its callers are known by the cookie of their session, and by nothing else; elsewhere no
/// cookie counts
public record Surface(
        String prefix,
        Predicate<String> has,
        boolean basicAllowed,
        boolean gzipTaken,
        boolean forBrowsers,
        ErrorRenderer errors,
        List<Route> routes) {
    private static final Predicate<String> ALL = path -> true;

    /// Says what a problem looks like to the callers of a surface.
    public interface ErrorRenderer {
        Answer render(Problem problem, Call call);
    }

    public Surface {
        routes = List.copyOf(routes);
    }

    /// One that all paths with the prefix belong to.
    public Surface(String prefix, boolean basicAllowed, ErrorRenderer errors, List<Route> routes) {
        this(prefix, ALL, basicAllowed, false, false, errors, routes);
    }

    /// One of programs, that some paths with the prefix belong to.
    public Surface(
            String prefix,
            Predicate<String> has,
            boolean basicAllowed,
            boolean gzipTaken,
            ErrorRenderer errors,
            List<Route> routes) {
        this(prefix, has, basicAllowed, gzipTaken, false, errors, routes);
    }

    /// Whether the path, as it was sent, belongs to it.
    public boolean owns(String path) {
        return path.startsWith(prefix) && has.test(path);
    }

    /// Whether it has all paths with its prefix. Of several with the same prefix, those that have not come first.
    public boolean isWhole() {
        return has == ALL;
    }
}
