package dev.sheaf.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option for the organization.
public final class OrganizationOption {
    @Option(
            names = "--org",
            paramLabel = "ORG",
            description = "Id or handle of the organization. Default: that of your own key or session.")
    private @Nullable String organization;

    /// Returns null if the caller's own organization is meant.
    @Nullable
    public String value() {
        return organization;
    }
}
