package dev.sheaf.server.ops;

import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.metrics.Metrics;
import dev.sheaf.server.net.Cidr;
import java.util.List;
import java.util.Set;

/// What a node counts of itself, for administrators of the installation, and for programs at known addresses.
public final class MetricsApi {
    private static final Set<String> OF_PROXIES = Set.of(
            "cdn-loop",
            "cf-connecting-ip",
            "forwarded",
            "origin",
            "true-client-ip",
            "via",
            "x-amzn-trace-id",
            "x-client-ip",
            "x-cluster-client-ip",
            "x-envoy-external-address",
            "x-original-forwarded-for",
            "x-real-ip");

    private final Metrics metrics;
    private final List<Cidr> readers;
    private final PathOwners owners;

    /// @param readers addresses from which nobody is asked who it is
    public MetricsApi(Metrics metrics, List<Cidr> readers, PathOwners owners) {
        this.metrics = metrics;
        this.readers = List.copyOf(readers);
        this.owners = owners;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/metrics", Need.PUBLIC_READ, this::metrics));
    }

    private Answer metrics(Call call) {
        if (!isReader(call)) {
            owners.administrator(call.origin().caller());
        }
        var page = metrics.page(String.join(",", call.headers("Accept")));
        return Answer.bytes(200, page.mediaType(), page.bytes()).with("Cache-Control", "no-store");
    }

    /// Not where a proxy passes it on, trusted or not: it may stand at a known address, and do so for anybody. Nor
    /// for a page in a browser there, which another site may have brought.
    private boolean isReader(Call call) {
        return readers.stream().anyMatch(block -> block.contains(call.address()))
                && call.way().isByKnownHost()
                && call.headerNames().stream().noneMatch(MetricsApi::isOfProxyOrPage);
    }

    /// @param name in lower case
    private static boolean isOfProxyOrPage(String name) {
        return name.startsWith("x-forwarded") || name.startsWith("sec-fetch-") || OF_PROXIES.contains(name);
    }
}
