/// Blobs and manifests, and what refers to what.
@NullMarked
package dev.sheaf.server.registry.content;

import org.jspecify.annotations.NullMarked;
