/// Requests that are sent again under the same `Idempotency-Key`, and are answered as the first time.
@NullMarked
package dev.sheaf.server.idempotency;

import org.jspecify.annotations.NullMarked;
