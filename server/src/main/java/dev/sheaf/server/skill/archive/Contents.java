package dev.sheaf.server.skill.archive;

import java.io.IOException;
import java.io.OutputStream;

/// Where the bytes of files come from.
public interface Contents {
    /// Writes all bytes of the file, as many as it is said to have.
    void writeTo(ArchiveFile file, OutputStream out) throws IOException;
}
