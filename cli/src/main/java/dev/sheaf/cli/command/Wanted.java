package dev.sheaf.cli.command;

import dev.sheaf.client.api.OciReference;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Reference;
import java.util.regex.Pattern;

/// What to pull, as it stands on the command line.
public sealed interface Wanted {
    Pattern ADDRESS = Pattern.compile("(https?://)([^/]+)/(.+)");

    /// A bundle of the registry of Sheaf that is spoken to.
    record Bundle(Reference reference) implements Wanted {}

    /// An artifact of the OCI registry that the text names.
    record Artifact(String text) implements Wanted {}

    static Wanted parse(String text) {
        var address = ADDRESS.matcher(text);
        if (address.matches()) {
            throw Problem.invalid(
                    "format",
                    "leave out " + address.group(1) + ": sheaf pull " + address.group(3) + " --url " + address.group(1)
                            + address.group(2));
        }
        return OciReference.isOne(text) ? new Artifact(text) : new Bundle(Words.reference(text));
    }
}
