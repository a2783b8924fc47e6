package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.StoredObject;
import dev.sheaf.engine.blob.TransferBuffers;
import java.io.IOException;
import java.io.OutputStream;

/// An object in a bucket.
record S3Object(S3Bucket bucket, String object, long length, TransferBuffers buffers) implements StoredObject {
    @Override
    public void writeTo(OutputStream out, long offset, long count) throws IOException {
        new S3Reading(this, out, offset, count).run();
    }
}
