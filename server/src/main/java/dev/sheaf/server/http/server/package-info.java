/// Connections: the listener, TLS, HTTP/1 and HTTP/2, timeouts, memory.
@NullMarked
package dev.sheaf.server.http.server;

import org.jspecify.annotations.NullMarked;
