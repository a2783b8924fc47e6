package dev.sheaf.server.http.policy;

import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.model.Problem;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The origin and target of a request: its client, the local address, and the host and scheme that it names.
/// Bound to its thread.
public final class RequestArrival {
    private final HttpExchange request;
    private final InetSocketAddress here; // the local address of the connection
    private final ServerSite site;
    private final ClientAddress.Seen seen;
    private @Nullable String host;
    private @Nullable Boolean known;

    public RequestArrival(HttpExchange request, ServerSite site, ClientAddress forwarding) {
        this.request = request;
        this.here = request.local();
        this.site = site;
        this.seen = forwarding.seen(request.remote().getAddress(), request::headers);
    }

    /// Returns the base URL of this server for the caller: the configured one, or the one that the request was
    /// sent to.
    public String baseUrl() {
        return site.baseUrl(host(), this::isByKnownHost, here, isSecure());
    }

    /// Returns the host that the client asked for; empty if there is none. A host in the target overrides the
    /// header Host (RFC 9112, section 3.2.2).
    private String host() {
        if (host == null) {
            String forwarded = seen.host();
            host = forwarded == null ? named().or(() -> request.header("Host")).orElse("") : forwarded;
        }
        return host;
    }

    private Optional<String> named() {
        return RequestTarget.host(request.target());
    }

    /// @throws dev.sheaf.model.ProblemException misdirected if the request is for another host; bad-request if
    /// its target has an invalid host
    public void isForUs() {
        if (named().filter(host -> !ServerSite.isHost(host)).isPresent()) {
            throw new Problem.BadRequest("the host in the request target is not valid").raise();
        }
        site.require(host(), this::isByKnownHost);
    }

    /// Returns whether the client asked for a known host of this server, not for a foreign name that resolves
    /// to this address.
    public boolean isByKnownHost() {
        if (known == null) {
            known = site.isKnown(host(), here);
        }
        return known;
    }

    /// Returns whether the client used TLS, to this node or to a trusted proxy.
    boolean isSecure() {
        return seen.secure() instanceof Boolean secure ? secure : request.isSecure();
    }

    /// Returns whether browsers should use only TLS from now on, because this server is reached over TLS.
    public boolean isStrict() {
        return isSecure() || site.isSecure();
    }

    /// Returns the client's address: the peer of the connection, or the address that a trusted proxy reports,
    /// see [ClientAddress].
    public InetAddress address() {
        return seen.address();
    }
}
