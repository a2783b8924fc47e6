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

/// How a request came here: from whom, to which of this node's addresses, by which name and scheme. Bound to its
/// thread.
public final class Arrival {
    private final ServerRequest request;
    private final InetSocketAddress here; // where the connection came in
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

    /// Where this service is for this caller: the configured address, or the one the request was sent to.
    public String baseUrl() {
        return site.baseUrl(host(), here, isSecure());
    }

    /// The host that the client asked for, by its own word; empty where there is none. One in the target counts, and
    /// not the Host beside it (RFC 9112, section 3.2.2).
    private String host() {
        String forwarded = seen.host();
        return forwarded == null
                ? named().or(() -> request.headers().first(HeaderNames.HOST)).orElse("")
                : forwarded;
    }

    private Optional<String> named() {
        return RequestTarget.host(RequestTarget.of(request));
    }

    /// @throws dev.sheaf.model.ProblemException misdirected where the request is for a host that is not of this
    /// service; bad-request where its target has one that is none
    public void isForUs() {
        if (named().filter(host -> !Site.isHost(host)).isPresent()) {
            throw new Problem.BadRequest("the host in the target of the request is none").raise();
        }
        site.require(host(), here);
    }

    /// Whether the client asked for a host by which this service is known, and not for one that its owner has led here.
    public boolean isByKnownHost() {
        return site.isKnown(host(), here);
    }

    /// Whether the client came over TLS, to this node or to a trusted proxy before it.
    boolean isSecure() {
        return seen.secure() instanceof Boolean secure ? secure : request.isSecure();
    }

    /// Whether browsers are to use nothing but TLS from now on: the service is reached by it.
    public boolean isStrict() {
        return isSecure() || site.isSecure();
    }

    /// The address of the client: that of the connection's peer, or what a trusted proxy says, see [Forwarding].
    public InetAddress address() {
        return seen.address();
    }
}
