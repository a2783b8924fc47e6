/// The single way to publish, and the ways that lead to it: JSON pushes, working assets, OCI pushes.
@NullMarked
package dev.sheaf.server.bundle.publish;

import org.jspecify.annotations.NullMarked;
