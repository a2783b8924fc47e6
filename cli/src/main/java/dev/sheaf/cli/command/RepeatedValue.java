package dev.sheaf.cli.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/// The values of an option or argument that may be repeated.
///
/// @param parameter its description
public record RepeatedValue<T>(ArgSpec parameter) {
    /// Returns the values in their order; none if it was left out.
    public List<T> get() {
        List<T> values = orNull();
        return values == null ? List.of() : values;
    }

    /// Returns null if it was left out.
    public @Nullable List<T> orNull() {
        List<T> values = parameter.getValue();
        return values == null ? null : List.copyOf(values);
    }

    public boolean isGiven() {
        return !get().isEmpty();
    }
}
