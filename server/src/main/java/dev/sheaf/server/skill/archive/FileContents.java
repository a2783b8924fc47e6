package dev.sheaf.server.skill.archive;

import java.io.IOException;
import java.io.OutputStream;

/// Provides the bytes of files.
public interface FileContents {
    /// Writes all bytes of the file, exactly as many as its size says.
    void writeTo(ArchiveFile file, OutputStream out) throws IOException;
}
