/// Policies for callers: rate limits, addresses, sizes, needs of routes.
@NullMarked
package dev.sheaf.server.http.policy;

import org.jspecify.annotations.NullMarked;
