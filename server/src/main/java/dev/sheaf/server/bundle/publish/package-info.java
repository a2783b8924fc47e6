/// The one way to publish, and what leads to it: working assets, OCI pushes.
@NullMarked
package dev.sheaf.server.bundle.publish;

import org.jspecify.annotations.NullMarked;
