/// What is kept on this machine for later: blobs by their digests, and answers of registries.
@NullMarked
package dev.sheaf.client.cache;

import org.jspecify.annotations.NullMarked;
