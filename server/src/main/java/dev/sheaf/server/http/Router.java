package dev.sheaf.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the route of a path in one walk over its segments, however many routes there are. Literal segments win
/// over parameters. A segment is split at `/` first and decoded after, so an encoded slash stays inside it; `:verb`
/// may be written `%3A`. Immutable once built.
public final class Router {
    /// A path that is known: its routes by method, and the values of its parameters.
    public record Match(Map<Method, Route> routes, Map<String, String> parameters) {}

    private static final class Node {
        final Map<String, Node> literals = new HashMap<>();
        final Map<String, Node> verbs = new HashMap<>();
        final Map<Method, Route> routes = new EnumMap<>(Method.class);
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
        if (node.routes.putIfAbsent(route.method(), route) != null) {
            throw new IllegalArgumentException("two routes for " + route.method() + " " + pattern);
        }
    }

    private static Node step(Node node, String segment, String pattern) {
        if (!segment.startsWith("{")) {
            return node.literals.computeIfAbsent(segment, s -> new Node());
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

    /// The routes of a raw (still encoded) path, or null where there is none, or the encoding is broken.
    public @Nullable Match find(String rawPath) {
        var parameters = new HashMap<String, String>(8);
        Node node = root;
        int from = 1;
        while (from <= rawPath.length()) {
            int slash = rawPath.indexOf('/', from);
            int end = slash < 0 ? rawPath.length() : slash;
            Node literal = node.literals.get(rawPath.substring(from, end));
            if (literal != null) {
                node = literal;
            } else if (node.child != null) {
                boolean rest = node.child.takesRest;
                end = rest ? rawPath.length() : end;
                node = parameter(node, rawPath.substring(from, end), end == rawPath.length(), parameters);
            } else {
                node = null;
            }
            if (node == null) {
                return null;
            }
            from = end + 1;
        }
        return node.routes.isEmpty() ? null : new Match(node.routes, parameters);
    }

    private static @Nullable Node parameter(Node node, String raw, boolean last, Map<String, String> parameters) {
        String value = decode(raw);
        Node child = node.child;
        if (value == null || child == null || value.isEmpty()) {
            return null;
        }
        int colon = last ? value.lastIndexOf(':') : -1;
        Node verb = colon < 0 ? null : child.verbs.get(value.substring(colon + 1));
        parameters.put(node.parameter, verb == null ? value : value.substring(0, colon));
        return verb == null ? child : verb;
    }

    /// Percent-decoding of a path, where a plus is a plus; null where the encoding is broken.
    static @Nullable String decode(String raw) {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        try {
            return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Every method that the path of these routes takes, for Allow.
    static List<String> methods(Map<Method, Route> routes) {
        var names = new ArrayList<String>();
        routes.keySet().forEach(method -> names.add(method.name()));
        if (routes.containsKey(Method.GET)) {
            names.add("HEAD");
        }
        return names;
    }
}
