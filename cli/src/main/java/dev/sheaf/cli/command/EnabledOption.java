package dev.sheaf.cli.command;

import org.jspecify.annotations.Nullable;

/// The options `--enable` and `--disable` of a command that changes something.
public record EnabledOption(CliCommand command, FlagOption enable, FlagOption disable) {
    public static EnabledOption of(CliCommand command, String enable, String disable) {
        return new EnabledOption(command, command.flag("--enable", enable), command.flag("--disable", disable));
    }

    /// @throws picocli.CommandLine.ParameterException if both were given
    public void check() {
        command.refuse(enable.isGiven() && disable.isGiven(), "give --enable or --disable, not both");
    }

    /// Returns null if neither was given.
    public @Nullable Boolean get() {
        return enable.isGiven() ? Boolean.TRUE : disable.isGiven() ? Boolean.FALSE : null;
    }
}
