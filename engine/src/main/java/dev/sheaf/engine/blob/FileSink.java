package dev.sheaf.engine.blob;

import java.io.IOException;
import java.nio.channels.FileChannel;

/// A destination of content that takes a part of a file without a copy in memory.
public interface FileSink {
    /// Sends a part of a file, and returns when it no longer needs the file.
    void send(FileChannel file, long offset, long count) throws IOException;
}
