package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.client.Bundle;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;

/// The argument REF of a command about one version. A tag is refused, because it could move.
record VersionArgument(CliCommand command, RequiredValue<Reference> reference) {
    static VersionArgument of(CliCommand command) {
        return new VersionArgument(command, command.argument(Reference.class, "REF", "namespace/bundle:version."));
    }

    RepositoryName repository() {
        return reference.get().repository();
    }

    Bundle bundle(SheafClient client) {
        return client.bundle(repository());
    }

    /// @throws picocli.CommandLine.ParameterException if the reference has no exact version
    Version exact() {
        if (reference.get().selector() instanceof VersionSelector.ByVersion(Version version)) {
            return version;
        }
        String typed = reference.get().selector().toString();
        boolean letter = typed.matches("[vV]\\d+\\.\\d+\\.\\d+.*");
        throw command.misuse((letter ? "write the version without the v: " : "this needs an exact version: ")
                + command.spec().qualifiedName() + " " + repository() + ":"
                + (letter ? typed.substring(1) : "1.2.3"));
    }

    boolean isWholeBundle() {
        return reference.get().selector() instanceof VersionSelector.Default;
    }

    /// Returns the reference as typed.
    @Override
    public String toString() {
        return reference.toString();
    }
}
