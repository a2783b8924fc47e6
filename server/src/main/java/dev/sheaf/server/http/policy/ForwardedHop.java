package dev.sheaf.server.http.policy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One hop of a request as recorded by the proxy that received it.
///
/// A proxy appends to the header that it received, and clients can send any header. So lists are read from the
/// right, and an invalid element affects only itself.
///
/// @param from the sender; null if it is missing or unreadable
/// @param proto the scheme; empty if it is missing
/// @param host the requested host; empty if it is missing
record ForwardedHop(@Nullable InetAddress from, String proto, String host) {
    private static final ForwardedHop UNREADABLE = new ForwardedHop(null, "", "");
    private static final int MAX_PORT = 65_535;
    private static final Pattern NODE = Pattern.compile("(?:\\[([0-9A-Fa-f:.]{2,45})]|(\\d{1,3}(?:\\.\\d{1,3}){3}))"
            + "(?::(?:(\\d{1,5})|_[A-Za-z0-9._-]+))?"); // RFC 7239, section 6
    private static final Pattern BARE_IPV6 = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");
    private static final Pattern PAIR = Pattern.compile(
            "[ \\t]*([A-Za-z0-9!#$%&'*+.^_`|~-]+)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\"\\\\,; \\t]+))[ \\t]*");

    /// Returns the last hops, nearest first, from `X-Forwarded-For`, `-Proto` and `-Host`, which have no
    /// quoting. The lists are matched from the right. If `-Proto` or `-Host` is shorter, its first element
    /// counts for all further hops.
    static List<ForwardedHop> common(Function<String, List<String>> headers, int max) {
        var from = split(headers.apply("X-Forwarded-For"), max);
        var proto = split(headers.apply("X-Forwarded-Proto"), max);
        var host = split(headers.apply("X-Forwarded-Host"), max);
        var hops = new ArrayList<ForwardedHop>();
        int lines = Math.max(from.size(), proto.isEmpty() && host.isEmpty() ? 0 : 1);
        for (int i = 0; i < lines; i++) {
            hops.add(new ForwardedHop(i < from.size() ? address(from.get(i), true) : null, at(proto, i), at(host, i)));
        }
        return hops;
    }

    private static String at(List<String> values, int line) {
        return values.isEmpty() ? "" : values.get(Math.min(line, values.size() - 1));
    }

    /// Returns the last hops, nearest first, from `Forwarded` (RFC 7239).
    static List<ForwardedHop> standard(List<String> values, int max) {
        return elements(values, max).stream().map(ForwardedHop::element).toList();
    }

    private static List<String> split(List<String> values, int max) {
        var found = new ArrayList<String>();
        for (String value : values.reversed()) {
            for (int end = value.length(); end >= 0 && found.size() < max; ) {
                int comma = value.lastIndexOf(',', end - 1);
                found.add(value.substring(comma + 1, end).strip());
                end = comma;
            }
        }
        return found;
    }

    /// Splits at commas outside of quotes, from the right. A trusted proxy closes the quotes that it opens, so
    /// an unbalanced quote further left does not affect its element.
    private static List<String> elements(List<String> values, int max) {
        var found = new ArrayList<String>();
        for (String value : values.reversed()) {
            boolean quoted = false;
            int end = value.length();
            for (int i = value.length() - 1; i >= -1 && found.size() < max; i--) {
                if (i < 0 || value.charAt(i) == ',' && !quoted) {
                    found.add(value.substring(i + 1, end));
                    end = i;
                } else if (value.charAt(i) == '"' && !(quoted && isEscaped(value, i))) {
                    quoted = !quoted;
                }
            }
        }
        return found;
    }

    private static boolean isEscaped(String text, int at) {
        int first = at;
        while (first > 0 && text.charAt(first - 1) == '\\') {
            first--;
        }
        return (at - first) % 2 == 1;
    }

    private static ForwardedHop element(String text) {
        Map<String, String> pairs = new HashMap<>();
        var pair = PAIR.matcher(text);
        for (int at = 0; at <= text.length(); at = pair.end() + 1) {
            boolean found = pair.region(at, text.length()).lookingAt();
            boolean ended = found && (pair.end() == text.length() || text.charAt(pair.end()) == ';');
            if (!ended || pairs.putIfAbsent(pair.group(1).toLowerCase(Locale.ROOT), value(pair)) != null) {
                return UNREADABLE; // a name may occur only once (section 4)
            }
        }
        return new ForwardedHop(
                address(pairs.getOrDefault("for", ""), false),
                pairs.getOrDefault("proto", ""),
                pairs.getOrDefault("host", ""));
    }

    private static String value(Matcher pair) {
        String quoted = pair.group(2);
        return quoted == null ? pair.group(3) : quoted.replaceAll("\\\\(.)", "$1");
    }

    /// Parses a literal address, never a name, so that nothing is looked up. Null if it is not valid, or is the
    /// unspecified address.
    ///
    /// @param bare whether an IPv6 address may lack brackets
    private static @Nullable InetAddress address(String node, boolean bare) {
        var matcher = NODE.matcher(node);
        if (!matcher.matches()) {
            return bare && BARE_IPV6.matcher(node).matches() ? literal(node) : null;
        }
        String port = matcher.group(3);
        String text = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return port != null && Integer.parseInt(port) > MAX_PORT ? null : literal(text);
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            var address = InetAddress.ofLiteral(text);
            return address.isAnyLocalAddress() ? null : address;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
