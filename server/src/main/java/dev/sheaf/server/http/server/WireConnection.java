package dev.sheaf.server.http.server;

import io.helidon.webserver.spi.ServerConnection;

/// A connection of the HTTP library, and an action for its end.
record WireConnection(ServerConnection to, Runnable end) {}
