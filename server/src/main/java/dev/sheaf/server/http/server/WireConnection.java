package dev.sheaf.server.http.server;

import io.helidon.webserver.spi.ServerConnection;

/// A connection of the HTTP library, and what is to be done at its end.
record WireConnection(ServerConnection to, Runnable end) {}
