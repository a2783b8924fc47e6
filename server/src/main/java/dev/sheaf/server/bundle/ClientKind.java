package dev.sheaf.server.bundle;

import java.util.Locale;

/// The kinds of clients that pulls are counted by. The route that served a pull decides; rows never contain a word
/// that a client chose.
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
    /// @param agent its `User-Agent`; empty if it sent none
    public static ClientKind ofApi(String agent) {
        return isOurs(agent) ? SHEAF : agent.startsWith("Mozilla/") ? BROWSER : OTHER;
    }

    /// Returns the kind of a client of the OCI registry.
    ///
    /// @param agent its `User-Agent`; empty if it sent none
    public static ClientKind ofRegistry(String agent) {
        return isOurs(agent) ? SHEAF : OCI;
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
