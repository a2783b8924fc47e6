/// Bytes and connections: the listener, TLS, HTTP/1 and HTTP/2 as they are let in, timeouts, memory.
@NullMarked
package dev.sheaf.server.http.server;

import org.jspecify.annotations.NullMarked;
