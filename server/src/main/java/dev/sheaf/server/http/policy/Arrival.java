package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.server.RequestTarget;
import dev.sheaf.server.http.server.Site;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/// How a request arrived: its client, the local address, and the host and scheme that it names. Bound to its
/// thread.
public final class Arrival {
    private final ServerRequest request;
    private final InetSocketAddress here; // the local address of the connection
    private final Site site;
    private final Forwarding.Seen seen;

    public Arrival(ServerRequest request, Site site, Forwarding forwarding) {
        this.request = request;
        this.here = (InetSocketAddress) request.localPeer().address();
        this.site = site;
        var peer = ((InetSocketAddress) request.remotePeer().address()).getAddress();
        this.seen = forwarding.seen(peer, name -> {
            var header = HeaderNames.create(name);
            return request.headers().contains(header)
                    ? request.headers().get(header).allValues()
                    : List.of();
        });
    }

    /// Returns the base URL of the service for this caller: the configured one, or the one that the request was
    /// sent to.
    public String baseUrl() {
        return site.baseUrl(host(), here, isSecure());
    }

    /// Returns the host that the client asked for, empty if none. A host in the target overrides the header Host
    /// (RFC 9112, section 3.2.2).
    private String host() {
        String forwarded = seen.host();
        return forwarded == null
                ? named().or(() -> request.headers().first(HeaderNames.HOST)).orElse("")
                : forwarded;
    }

    private Optional<String> named() {
        return RequestTarget.host(RequestTarget.of(request));
    }

    /// @throws dev.sheaf.model.ProblemException misdirected if the request is for a host of another service;
    /// bad-request if its target has an invalid host
    public void isForUs() {
        if (named().filter(host -> !Site.isHost(host)).isPresent()) {
            throw new Problem.BadRequest("the host in the target of the request is none").raise();
        }
        site.require(host(), here);
    }

    /// Returns whether the client asked for a known host of this service, rather than for a foreign name that
    /// resolves to this address.
    public boolean isByKnownHost() {
        return site.isKnown(host(), here);
    }

    /// Returns whether the client used TLS, to this node or to a trusted proxy.
    boolean isSecure() {
        return seen.secure() instanceof Boolean secure ? secure : request.isSecure();
    }

    /// Returns whether browsers should use only TLS from now on, because the service is reached over TLS.
    public boolean isStrict() {
        return isSecure() || site.isSecure();
    }

    /// Returns the client's address: that of the connection, or the one named by a trusted proxy, see
    /// [Forwarding].
    public InetAddress address() {
        return seen.address();
    }
}
