package dev.sheaf.server.http.policy;

import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.net.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Where a request comes from: the peer of its connection, or, where that is a trusted proxy, who the proxy says
/// was its own peer. Only the one kind of header that the proxies write is ever read: any other passes through them
/// as the client sent it. Whatever such a header holds, no request fails for it.
///
/// @param trusted the proxies; empty: no header is believed
/// @param standard whether they write `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, `-Proto` and `-Host`
public record Forwarding(List<Cidr> trusted, boolean standard) {
    public static final Forwarding NONE = new Forwarding(List.of(), false);

    /// Stands for the address of a client of which a proxy says nothing that can be read. No block holds it
    /// ([Cidr#contains]), so keys that are confined to addresses do not work from there.
    public static final InetAddress UNKNOWN = InetAddress.ofLiteral("::");

    private static final int MAX_HOPS = 32;

    /// What is known of a request's way here.
    ///
    /// @param address of the client; [#UNKNOWN] where a proxy passed it on for somebody that it does not name
    /// @param secure whether the client used TLS; null: as on this connection
    /// @param host that the client asked for; null: as in Host
    record Seen(
            InetAddress address,
            @Nullable Boolean secure,
            @Nullable String host) {}

    public Forwarding {
        trusted = List.copyOf(trusted);
    }

    /// @param headers all values of a header by its name, over repeated lines, in order
    Seen seen(InetAddress peer, Function<String, List<String>> headers) {
        if (!isTrusted(peer)) {
            return new Seen(peer, null, null);
        }
        var hops = standard
                ? ForwardedHop.standard(headers.apply("Forwarded"), MAX_HOPS + 1)
                : ForwardedHop.common(headers, MAX_HOPS + 1);
        InetAddress address = peer;
        ForwardedHop believed = null;
        for (int i = 0; i < hops.size() && isTrusted(address); i++) {
            believed = hops.get(i);
            var from = believed.from();
            address = from == null || i == MAX_HOPS ? UNKNOWN : from;
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
}
