package dev.sheaf.cli.command;

import picocli.CommandLine.Model.OptionSpec;

/// An option without a value.
///
/// @param option its description
public record FlagOption(OptionSpec option) {
    /// @param names one or more, separated by spaces: `-y --yes`
    public static FlagOption of(String names, String description) {
        return new FlagOption(OptionSpec.builder(names.split(" "))
                .type(boolean.class)
                .description(description)
                .build());
    }

    /// Returns whether it was given.
    public boolean isGiven() {
        return Boolean.TRUE.equals(option.getValue());
    }
}
