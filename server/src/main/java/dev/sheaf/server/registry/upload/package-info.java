/// Uploads in chunks.
@NullMarked
package dev.sheaf.server.registry.upload;

import org.jspecify.annotations.NullMarked;
