/// Caches on this machine: blobs by digest, and answers of registries.
@NullMarked
package dev.sheaf.client.cache;

import org.jspecify.annotations.NullMarked;
