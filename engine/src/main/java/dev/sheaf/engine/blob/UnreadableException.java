package dev.sheaf.engine.blob;

import java.io.IOException;
import java.nio.file.Path;

/// Thrown if the disk cannot read an object. The object is damaged; the store as a whole may be healthy. The log has a
/// line about it, so requests are refused without another one: the cause is the problem that they get.
public final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1;

    UnreadableException(Path file, IOException cause) {
        super("cannot read " + file, DiskCalls.unavailable());
        addSuppressed(cause);
    }
}
