package dev.sheaf.cli.command;

import java.util.Objects;
import picocli.CommandLine.Model.ArgSpec;

/// The value of an option or argument that a command needs.
///
/// @param parameter its description
public record RequiredValue<T>(ArgSpec parameter) {
    public T get() {
        return Objects.requireNonNull(parameter.<T>getValue());
    }

    /// Returns the value as text.
    @Override
    public String toString() {
        return get().toString();
    }
}
