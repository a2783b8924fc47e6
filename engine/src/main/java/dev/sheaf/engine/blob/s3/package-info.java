/// Blobs in a bucket.
@NullMarked
package dev.sheaf.engine.blob.s3;

import org.jspecify.annotations.NullMarked;
