/// Processing of a request: routing, authorization, handler, answer.
@NullMarked
package dev.sheaf.server.http.routing;

import org.jspecify.annotations.NullMarked;
