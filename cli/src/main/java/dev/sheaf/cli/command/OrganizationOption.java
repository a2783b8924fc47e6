package dev.sheaf.cli.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/// The option for the organization.
public final class OrganizationOption {
    private final OptionSpec organization = OptionSpec.builder("--org")
            .type(String.class)
            .paramLabel("ORG")
            .description("Id or handle of the organization. Default: that of your own key or session.")
            .build();

    List<OptionSpec> options() {
        return List.of(organization);
    }

    /// Returns null if the caller's own organization is meant.
    public @Nullable String value() {
        return organization.getValue();
    }
}
