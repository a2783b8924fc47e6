package dev.sheaf.model.archive;

import dev.sheaf.model.LogicalPath;

/// A file of a [PlainArchive] with its content.
public final class PlainFile {
    private final LogicalPath path;
    private final boolean executable;
    private final byte[] content;

    /// @param content used, not copied
    PlainFile(LogicalPath path, boolean executable, byte[] content) {
        this.path = path;
        this.executable = executable;
        this.content = content;
    }

    /// Returns the path.
    public LogicalPath path() {
        return path;
    }

    /// Returns whether its owner may execute it.
    public boolean isExecutable() {
        return executable;
    }

    /// Returns the content itself, not a copy; do not change it.
    public byte[] content() {
        return content;
    }
}
