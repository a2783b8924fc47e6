package dev.sheaf.server.blob;

import java.io.IOException;
import java.io.OutputStream;

/// An object that was there, whole, when it was opened. Holds no resource, so it need not be closed.
public interface StoredObject {
    /// In bytes.
    long length();

    /// Writes `count` bytes from `offset` on, in the lane's buffers, giving way to other work between them.
    ///
    /// @throws IOException where `out` fails, or the object can no longer be read
    void writeTo(OutputStream out, long offset, long count) throws IOException;
}
