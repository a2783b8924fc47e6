/// Compares stored bytes with their digests.
@NullMarked
package dev.sheaf.server.registry.scrub;

import org.jspecify.annotations.NullMarked;
