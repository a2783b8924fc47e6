/// Policies for callers: rate limits, addresses, size limits, required permissions.
@NullMarked
package dev.sheaf.server.http.policy;

import org.jspecify.annotations.NullMarked;
