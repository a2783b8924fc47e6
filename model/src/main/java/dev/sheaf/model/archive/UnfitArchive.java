package dev.sheaf.model.archive;

import java.io.IOException;

/// An archive is broken, or is not one of plain files. The message goes on where "the archive " begins.
public final class UnfitArchive extends IOException {
    private static final long serialVersionUID = 1;

    UnfitArchive(String message) {
        super(message);
    }
}
