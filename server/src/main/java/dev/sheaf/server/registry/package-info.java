/// The OCI registry: repositories, blobs, uploads, manifests, tags.
@NullMarked
package dev.sheaf.server.registry;

import org.jspecify.annotations.NullMarked;
