package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the route of a path in one walk over its segments, regardless of the number of routes. Literal
/// segments take precedence over parameters, unless they lead to no route. A path is split at `/` before it is
/// decoded, so an encoded slash stays inside its segment. The colon of `:verb` may be encoded as `%3A`.
/// Immutable once built.
public final class Router {
    /// A matched path: the pattern of its routes, the routes by method, and the values of its parameters.
    public record Match(String pattern, Map<RouteMethod, Route> routes, Map<String, String> parameters) {}

    private static final class Node {
        final Map<String, Node> literals = new HashMap<>();
        final Map<String, Node> verbs = new HashMap<>();
        final Map<String, Node> endings = new HashMap<>(); // after parameters, such as `.git`
        final Map<RouteMethod, Route> routes = new EnumMap<>(RouteMethod.class);
        String pattern = "";
        String parameter = "";

        @Nullable
        Node child;

        boolean takesRest;
    }

    private final Node root = new Node();

    public Router(List<Route> routes) {
        routes.forEach(this::add);
    }

    private void add(Route route) {
        Node node = root;
        String pattern = route.pattern();
        for (String segment : pattern.substring(1).split("/", -1)) {
            int verb = segment.indexOf(':');
            node = step(node, verb < 0 ? segment : segment.substring(0, verb), pattern);
            if (verb >= 0) {
                node = node.verbs.computeIfAbsent(segment.substring(verb + 1), v -> new Node());
            }
        }
        node.pattern = pattern;
        if (node.routes.putIfAbsent(route.method(), route) != null) {
            throw new IllegalArgumentException("two routes for " + route.method() + " " + pattern);
        }
    }

    private static Node step(Node node, String segment, String pattern) {
        if (!segment.startsWith("{")) {
            return node.literals.computeIfAbsent(segment, s -> new Node());
        }
        int close = segment.indexOf('}');
        if (close < segment.length() - 1) {
            var ending = node.endings.computeIfAbsent(segment.substring(close + 1), s -> new Node());
            ending.parameter = segment.substring(1, close);
            return ending;
        }
        boolean rest = segment.endsWith("...}");
        String name = segment.substring(1, segment.length() - (rest ? 4 : 1));
        Node child = node.child == null ? new Node() : node.child;
        if (node.child != null && !node.parameter.equals(name)) {
            throw new IllegalArgumentException(pattern + " calls a parameter " + name + ", another " + node.parameter);
        }
        node.parameter = name;
        node.child = child;
        child.takesRest |= rest;
        return child;
    }

    /// Returns the routes of a path that is still encoded; null if there are none, or the encoding is invalid.
    public @Nullable Match find(String rawPath) {
        var parameters = new HashMap<String, String>(8);
        Node node = rawPath.startsWith("/") ? walk(root, rawPath, 1, parameters) : null;
        return node == null ? null : new Match(node.pattern, node.routes, parameters);
    }

    /// Follows the literal segment first, then the parameter if the literal leads to no route.
    private static @Nullable Node walk(Node node, String path, int from, Map<String, String> parameters) {
        if (from > path.length()) {
            return node.routes.isEmpty() ? null : node;
        }
        int slash = path.indexOf('/', from);
        int end = slash < 0 ? path.length() : slash;
        Node literal = literal(node, path.substring(from, end), slash < 0);
        Node found = literal == null ? null : walk(literal, path, end + 1, parameters);
        if (found == null && !node.endings.isEmpty()) {
            found = byEnding(node, path, from, end, parameters);
        }
        return found == null ? byParameter(node, path, from, end, parameters) : found;
    }

    /// Matches a parameter with a suffix; its value is the text before the suffix.
    private static @Nullable Node byEnding(Node node, String path, int from, int end, Map<String, String> parameters) {
        String value = RequestTarget.decode(path.substring(from, end));
        if (value == null) {
            return null;
        }
        for (var ending : node.endings.entrySet()) {
            var next = ending.getValue();
            if (value.length() > ending.getKey().length() && value.endsWith(ending.getKey())) {
                parameters.put(
                        next.parameter,
                        value.substring(0, value.length() - ending.getKey().length()));
                Node found = walk(next, path, end + 1, parameters);
                if (found != null) {
                    return found;
                }
                parameters.remove(next.parameter);
            }
        }
        return null;
    }

    private static @Nullable Node literal(Node node, String raw, boolean last) {
        Node exact = node.literals.get(raw);
        if (exact != null || !last) {
            return exact;
        }
        String value = RequestTarget.decode(raw);
        int colon = value == null ? -1 : value.lastIndexOf(':');
        Node named = value == null || colon < 0 ? null : node.literals.get(value.substring(0, colon));
        return value == null || named == null ? null : named.verbs.get(value.substring(colon + 1));
    }

    private static @Nullable Node byParameter(
            Node node, String path, int from, int segmentEnd, Map<String, String> parameters) {
        Node child = node.child;
        int end = child != null && child.takesRest ? path.length() : segmentEnd;
        String value = RequestTarget.decode(path.substring(from, end));
        if (child == null || value == null || value.isEmpty()) {
            return null;
        }
        int colon = end == path.length() ? value.lastIndexOf(':') : -1;
        Node verb = colon < 1 ? null : child.verbs.get(value.substring(colon + 1));
        parameters.put(node.parameter, verb == null ? value : value.substring(0, colon));
        Node found = walk(verb == null ? child : verb, path, end + 1, parameters);
        if (found == null) {
            parameters.remove(node.parameter);
        }
        return found;
    }

    /// Returns all methods of the routes, and HEAD, for the header Allow.
    static List<String> methods(Map<RouteMethod, Route> routes) {
        var names = new ArrayList<String>();
        routes.keySet().forEach(method -> names.add(method.name()));
        if (routes.containsKey(RouteMethod.GET)) {
            names.add("HEAD");
        }
        return names;
    }
}
