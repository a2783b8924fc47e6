package dev.sheaf.server.bundle;

import java.util.Locale;
import java.util.Optional;

/// The kinds of clients that pulls are counted by. The route that served a pull decides; rows never contain what a
/// client says of itself.
public enum ClientKind {
    /// Our own client.
    SHEAF,
    /// Another client of the OCI registry.
    OCI,
    GIT,
    /// A program that discovers skills below `.well-known`.
    SKILLS,
    /// A program that installs plugins of a marketplace.
    PLUGINS,
    /// A model that reads files by the Model Context Protocol.
    MCP,
    APM,
    CLAWHUB,
    /// A browser that calls the API.
    BROWSER,
    /// Any other client of the API.
    OTHER;

    /// Returns the kind of a client of the API.
    ///
    /// @param agent its `User-Agent`, if it sent one
    public static ClientKind ofApi(Optional<String> agent) {
        return agent.filter(ClientKind::isOurs).isPresent()
                ? SHEAF
                : agent.filter(name -> name.startsWith("Mozilla/")).isPresent() ? BROWSER : OTHER;
    }

    /// Returns the kind of a client of the OCI registry.
    ///
    /// @param agent its `User-Agent`, if it sent one
    public static ClientKind ofRegistry(Optional<String> agent) {
        return agent.filter(ClientKind::isOurs).isPresent() ? SHEAF : OCI;
    }

    private static boolean isOurs(String agent) {
        return agent.startsWith("sheaf/");
    }

    /// Returns the name on the wire and in rows.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
