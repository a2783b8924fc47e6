package dev.sheaf.cli;

import dev.sheaf.client.OciReference;
import dev.sheaf.model.Reference;

/// What to pull, as it stands on the command line.
sealed interface Wanted {
    /// A bundle of the registry of Sheaf that is spoken to.
    record Bundle(Reference reference) implements Wanted {}

    /// An artifact of the OCI registry that the text names.
    record Artifact(String text) implements Wanted {}

    static Wanted parse(String text) {
        return OciReference.isOne(text) ? new Artifact(text) : new Bundle(Reference.parse(text));
    }
}
