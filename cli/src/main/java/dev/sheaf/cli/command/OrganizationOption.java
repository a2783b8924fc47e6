package dev.sheaf.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which organization.
public final class OrganizationOption {
    @Option(
            names = "--org",
            paramLabel = "ORG",
            description = "Id or handle of the organization; that of your own key or session if missing.")
    private @Nullable String organization;

    /// Null: the caller's own.
    @Nullable
    public String value() {
        return organization;
    }
}
