/// The bytes of HTTP: heads, chunks and frames, checked before the HTTP library sees them.
@NullMarked
package dev.sheaf.server.http.wire;

import org.jspecify.annotations.NullMarked;
