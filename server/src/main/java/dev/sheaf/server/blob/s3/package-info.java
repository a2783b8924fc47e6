/// Blobs in a bucket.
@NullMarked
package dev.sheaf.server.blob.s3;

import org.jspecify.annotations.NullMarked;
