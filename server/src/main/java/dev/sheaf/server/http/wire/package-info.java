/// The bytes of HTTP as they come and go: heads, chunks and frames, checked before the HTTP library sees them.
@NullMarked
package dev.sheaf.server.http.wire;

import org.jspecify.annotations.NullMarked;
