/// Requests that are repeated with the same `Idempotency-Key` and get the first answer again.
@NullMarked
package dev.sheaf.server.idempotency;

import org.jspecify.annotations.NullMarked;
