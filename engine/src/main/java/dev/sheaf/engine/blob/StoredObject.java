package dev.sheaf.engine.blob;

import java.io.IOException;
import java.io.OutputStream;

/// An object that existed with its full length when it was opened. Holds no resources, so it need not be closed.
public interface StoredObject {
    /// Returns the length in bytes.
    long length();

    /// Writes `count` bytes from `offset` on, in pieces. A [FileSink] takes files without a copy.
    ///
    /// @throws IOException if `out` fails or the object can no longer be read
    void writeTo(OutputStream out, long offset, long count) throws IOException;
}
