package dev.sheaf.model.archive;

import java.io.IOException;

/// An archive is broken, or contains something other than plain files. The message completes a sentence that
/// begins "the archive ".
public final class UnfitArchive extends IOException {
    private static final long serialVersionUID = 1;

    UnfitArchive(String message) {
        super(message);
    }
}
