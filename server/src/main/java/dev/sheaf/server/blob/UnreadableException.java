package dev.sheaf.server.blob;

import java.io.IOException;
import java.nio.file.Path;

/// The disk gives an object's bytes no more. The object is damaged; the store as a whole may be well.
public final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1;

    UnreadableException(Path file, IOException cause) {
        super("cannot read " + file, cause);
    }
}
