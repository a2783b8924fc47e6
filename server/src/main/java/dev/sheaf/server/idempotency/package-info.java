/// Stored answers for requests that are repeated with the same `Idempotency-Key`.
@NullMarked
package dev.sheaf.server.idempotency;

import org.jspecify.annotations.NullMarked;
