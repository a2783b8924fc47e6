package dev.sheaf.server.http.policy;

import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.net.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the client of a request: the peer of its connection or, if that is a trusted proxy, the peer that the
/// proxy reports. Reads only the kind of header that the proxies write, because they pass on other kinds as the
/// client sent them. An invalid header never makes a request fail.
///
/// @param trusted the addresses of the proxies; if empty, no header is trusted
/// @param standard whether they write `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, `-Proto` and `-Host`
public record ClientAddress(List<Cidr> trusted, boolean standard) {
    public static final ClientAddress NONE = new ClientAddress(List.of(), false);

    /// Stands for a client whose address a proxy does not report in a readable form. No block contains this
    /// address ([Cidr#contains]), so keys that are confined to addresses do not work for it.
    public static final InetAddress UNKNOWN = InetAddress.ofLiteral("::");

    private static final int MAX_HOPS = 32;

    /// The known facts about the origin of a request.
    ///
    /// @param address the client's address; [#UNKNOWN] if the proxy does not report it
    /// @param secure whether the client used TLS; null to use the state of this connection
    /// @param host the host that the client asked for; null to use the header Host
    record Seen(
            InetAddress address,
            @Nullable Boolean secure,
            @Nullable String host) {}

    public ClientAddress {
        trusted = List.copyOf(trusted);
    }

    /// @param headers returns all values of a header by its name, from repeated lines, in order
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
                : new Seen(
                        address, secure(believed.proto()), ServerSite.isHost(believed.host()) ? believed.host() : null);
    }

    /// Returns whether the address is that of a trusted proxy.
    public boolean isTrusted(InetAddress address) {
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
