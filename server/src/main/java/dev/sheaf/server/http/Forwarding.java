package dev.sheaf.server.http;

import dev.sheaf.server.auth.Cidr;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where a request comes from: the peer of its connection, or, where that is a trusted proxy, who the proxy says
/// was its own peer. Only the one kind of header that the proxies write is ever read: any other passes through them
/// as the client sent it. Whatever such a header holds, no request fails for it.
///
/// @param trusted the proxies; empty: no header is believed
/// @param standard whether they write `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, `-Proto` and `-Host`
public record Forwarding(List<Cidr> trusted, boolean standard) {
    public static final Forwarding NONE = new Forwarding(List.of(), false);

    private static final int MAX_HOPS = 32;
    private static final Pattern HOP = Pattern.compile("\\[([0-9A-Fa-f:.]{2,45})](?::\\d{1,5})?"
            + "|(\\d{1,3}(?:\\.\\d{1,3}){3})(?::\\d{1,5})?|([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)");

    /// What is known of a request's way here.
    ///
    /// @param address of the client, or of the last proxy before what cannot be believed
    /// @param secure whether the client used TLS; null: as on this connection
    /// @param host that the client asked for; null: as in Host
    record Seen(
            InetAddress address,
            @Nullable Boolean secure,
            @Nullable String host) {}

    /// One line of the way: who sent it there, and what it was sent to.
    private record Hop(String from, String proto, String host) {}

    public Forwarding {
        trusted = List.copyOf(trusted);
    }

    /// @param headers all values of a header by its name, over repeated lines, in order
    Seen seen(InetAddress peer, Function<String, List<String>> headers) {
        if (!isTrusted(peer)) {
            return new Seen(peer, null, null);
        }
        var hops = standard ? standard(headers.apply("Forwarded")) : common(headers);
        InetAddress address = peer;
        Hop believed = null;
        for (int i = hops.size() - 1; i >= Math.max(0, hops.size() - MAX_HOPS) && isTrusted(address); i--) {
            var from = address(hops.get(i).from());
            believed = hops.get(i);
            if (from == null) {
                break;
            }
            address = from;
        }
        return believed == null
                ? new Seen(peer, null, null)
                : new Seen(address, secure(believed.proto()), Site.isHost(believed.host()) ? believed.host() : null);
    }

    private boolean isTrusted(InetAddress address) {
        for (Cidr proxies : trusted) {
            if (proxies.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Boolean secure(String proto) {
        return switch (proto.toLowerCase(Locale.ROOT)) {
            case "https" -> Boolean.TRUE;
            case "http" -> Boolean.FALSE;
            default -> null;
        };
    }

    /// Lists of the same length belong together line by line; of any other, the nearest proxy wrote the last.
    private static List<Hop> common(Function<String, List<String>> headers) {
        var from = elements(headers.apply("X-Forwarded-For"), ',');
        var proto = elements(headers.apply("X-Forwarded-Proto"), ',');
        var host = elements(headers.apply("X-Forwarded-Host"), ',');
        var hops = new ArrayList<Hop>();
        int lines = Math.max(from.size(), proto.isEmpty() && host.isEmpty() ? 0 : 1);
        for (int i = 0; i < lines; i++) {
            hops.add(new Hop(i < from.size() ? from.get(i) : "", at(proto, i, lines), at(host, i, lines)));
        }
        return hops;
    }

    private static String at(List<String> values, int line, int lines) {
        return values.isEmpty() ? "" : values.get(values.size() == lines ? line : values.size() - 1);
    }

    private static List<Hop> standard(List<String> values) {
        return elements(values, ',').stream()
                .map(element -> {
                    var pairs = elements(List.of(element), ';');
                    return new Hop(value(pairs, "for"), value(pairs, "proto"), value(pairs, "host"));
                })
                .toList();
    }

    private static String value(List<String> pairs, String name) {
        Predicate<String> named = pair -> pair.length() > name.length()
                && pair.charAt(name.length()) == '='
                && pair.regionMatches(true, 0, name, 0, name.length());
        String value = pairs.stream()
                .filter(named)
                .map(pair -> pair.substring(name.length() + 1))
                .findFirst()
                .orElse("");
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /// The parts between separators that stand outside quotes.
    private static List<String> elements(List<String> values, char separator) {
        var elements = new ArrayList<String>();
        for (String value : values) {
            boolean quoted = false;
            int from = 0;
            for (int i = 0; i <= value.length(); i++) {
                char c = i < value.length() ? value.charAt(i) : separator;
                quoted ^= c == '"';
                if (i == value.length() || c == separator && !quoted) {
                    elements.add(value.substring(from, i).strip());
                    from = i + 1;
                }
            }
        }
        return elements;
    }

    /// Literal addresses only: a name is never looked up.
    private static @Nullable InetAddress address(String hop) {
        var matcher = HOP.matcher(hop);
        if (!matcher.matches()) {
            return null;
        }
        return Optional.ofNullable(matcher.group(1))
                .or(() -> Optional.ofNullable(matcher.group(2)))
                .or(() -> Optional.ofNullable(matcher.group(3)))
                .map(Forwarding::literal)
                .orElse(null);
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
