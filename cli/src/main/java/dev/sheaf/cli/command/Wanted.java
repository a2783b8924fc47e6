package dev.sheaf.cli.command;

import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import java.util.Optional;

/// What to pull, as it stands on the command line.
public sealed interface Wanted {
    /// A bundle of the registry of Sheaf that is spoken to.
    record Bundle(Reference reference) implements Wanted {}

    /// An artifact of the OCI registry that the text names.
    record Artifact(String text) implements Wanted {}

    /// What is neither, and why: of an argument that may be there several times, picocli would say that it is one too
    /// many.
    record Wrong(String why) implements Wanted {}

    /// What an artifact is as a bundle of this registry; nothing where it names another registry, or is no bundle.
    static Optional<Bundle> at(RegistryUrl registry, Artifact artifact) {
        String text = artifact.text();
        int slash = text.indexOf('/');
        return NamedRegistry.isHost(text.substring(0, slash), registry)
                        && of(text.substring(slash + 1)) instanceof Bundle bundle
                ? Optional.of(bundle)
                : Optional.empty();
    }

    /// @param named takes the registry of one that begins with its address
    static Wanted parse(String text, NamedRegistry named) {
        return OciReference.isOne(text) && !text.contains("://") ? new Artifact(text) : of(named.without(text));
    }

    /// What a text without a registry means.
    static Wanted of(String text) {
        try {
            return new Bundle(Words.reference(text));
        } catch (ProblemException e) {
            return new Wrong("REF: " + e.getMessage());
        }
    }
}
