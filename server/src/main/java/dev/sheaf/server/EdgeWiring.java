package dev.sheaf.server;

import dev.sheaf.server.auth.Cidr;
import dev.sheaf.server.http.Edge;
import dev.sheaf.server.http.Forwarding;
import java.util.Arrays;
import java.util.List;

/// What [Wiring] makes of the settings of the network edge.
final class EdgeWiring {
    private EdgeWiring() {}

    static Edge edge(Config config) {
        return new Edge(forwarding(config));
    }

    private static Forwarding forwarding(Config config) {
        return new Forwarding(
                list(config.text(Setting.TRUSTED_PROXIES)).stream()
                        .map(Cidr::parse)
                        .toList(),
                config.text(Setting.FORWARDED_HEADER).equals("forwarded"));
    }

    /// The entries of a list with commas or spaces between them.
    static List<String> list(String text) {
        return Arrays.stream(text.split("[,\\s]+"))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }
}
