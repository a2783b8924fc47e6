/// The way from a request to its handler and back.
@NullMarked
package dev.sheaf.server.http.routing;

import org.jspecify.annotations.NullMarked;
