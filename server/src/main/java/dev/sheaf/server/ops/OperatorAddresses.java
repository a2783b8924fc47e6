package dev.sheaf.server.ops;

import dev.sheaf.engine.net.Cidr;
import dev.sheaf.server.http.message.Call;
import java.util.List;
import java.util.Set;

/// The addresses from which operators' programs read metrics and health without a key (setting `metrics-readers`).
public record OperatorAddresses(List<Cidr> readers) {
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

    public OperatorAddresses {
        readers = List.copyOf(readers);
    }

    /// Returns whether the call comes directly from such an address. Calls through a proxy or from a browser do
    /// not count, because a proxy at a known address may forward calls of any client, and a browser may act for
    /// a page of another site.
    boolean includes(Call call) {
        return readers.stream().anyMatch(block -> block.contains(call.address()))
                && call.way().isByKnownHost()
                && call.headerNames().stream().noneMatch(OperatorAddresses::isOfProxyOrPage);
    }

    /// @param name in lower case
    private static boolean isOfProxyOrPage(String name) {
        return name.startsWith("x-forwarded") || name.startsWith("sec-fetch-") || OF_PROXIES.contains(name);
    }
}
