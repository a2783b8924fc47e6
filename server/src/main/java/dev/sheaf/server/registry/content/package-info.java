/// Blobs, manifests, and the references between them.
@NullMarked
package dev.sheaf.server.registry.content;

import org.jspecify.annotations.NullMarked;
