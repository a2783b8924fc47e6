package dev.sheaf.cli.command;

import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import java.util.Optional;

/// Something to pull, as typed.
public sealed interface PullTarget {
    /// A bundle of this registry.
    record Bundle(Reference reference) implements PullTarget {}

    /// An artifact of the OCI registry that the text names.
    record Artifact(String text) implements PullTarget {}

    /// An invalid argument, and why. picocli would report an invalid value of a repeated argument as one
    /// argument too many.
    record Wrong(String why) implements PullTarget {}

    /// Returns an artifact as a bundle of this registry; empty if it names another registry, or is not a
    /// bundle.
    static Optional<Bundle> at(RegistryUrl registry, Artifact artifact) {
        String text = artifact.text();
        int slash = text.indexOf('/');
        return NamedRegistry.isHost(text.substring(0, slash), registry)
                        && of(text.substring(slash + 1)) instanceof Bundle bundle
                ? Optional.of(bundle)
                : Optional.empty();
    }

    /// @param named receives the registry if the text begins with its address
    static PullTarget parse(String text, NamedRegistry named) {
        return OciReference.isOne(text) && !text.contains("://") ? new Artifact(text) : of(named.without(text));
    }

    /// Parses a text without a registry.
    static PullTarget of(String text) {
        try {
            return new Bundle(ValueParsers.reference(text));
        } catch (ProblemException e) {
            return new Wrong("REF: " + e.getMessage());
        }
    }
}
