package dev.sheaf.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The value of an option or argument that may be left out.
///
/// @param parameter its description
public record OptionalValue<T>(ArgSpec parameter) {
    /// @param names one or more, separated by spaces: `-o --output`
    static OptionSpec.Builder builder(Class<?> type, String names, String label, String description) {
        return OptionSpec.builder(names.split(" ")).type(type).paramLabel(label).description(description);
    }

    /// Returns null if it was left out.
    public @Nullable T get() {
        return parameter.getValue();
    }

    public T or(T usual) {
        T value = get();
        return value == null ? usual : value;
    }

    public boolean isGiven() {
        return get() != null;
    }
}
