/// Connections: the listener, TLS, HTTP/1 and HTTP/2, timeouts, memory.
@NullMarked
package dev.sheaf.engine.http;

import org.jspecify.annotations.NullMarked;
