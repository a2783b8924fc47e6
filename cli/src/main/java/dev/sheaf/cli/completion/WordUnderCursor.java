package dev.sheaf.cli.completion;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// The word that the user is typing, and the registry that knows names for it.
///
/// @param bundle the bundle that the words before it name; null if they name none
record WordUnderCursor(Kind kind, String typed, @Nullable RepositoryName bundle, Connection connection) {
    /// The parameters whose values a registry knows, by their labels in help.
    enum Kind {
        REFERENCE("REF"),
        BUNDLE("BUNDLE", "NS/SLUG"),
        TAG("TAG"),
        VERSION("VERSION"),
        NAMESPACE("NAMESPACE", "NS"),
        QUEUE("QUEUE");

        private final List<String> labels;

        Kind(String... labels) {
            this.labels = List.of(labels);
        }

        static Optional<Kind> of(ArgSpec argument) {
            for (var kind : values()) {
                if (kind.labels.contains(argument.paramLabel())) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    /// Returns whether the registry may know the arguments of the command.
    static boolean isNamed(CommandLine command) {
        return command.getCommandSpec().args().stream()
                .anyMatch(argument -> Kind.of(argument).isPresent());
    }

    /// Returns the word under the cursor; empty if it is the name of a command, an option or a file.
    ///
    /// @param words the words of the command line after `sheaf`; the last is unfinished
    static Optional<WordUnderCursor> of(CommandLine root, List<String> words) {
        var command = root;
        int next = 0;
        while (next < words.size() - 1) {
            var below = command.getSubcommands().get(words.get(next));
            if (below == null) {
                break;
            }
            command = below;
            next++;
        }
        var before = new Before(command, words.subList(0, next));
        words.subList(next, words.size() - 1).forEach(before::add);
        String typed = words.getLast();
        var argument = before.following(typed);
        var kind = argument == null ? Optional.<Kind>empty() : Kind.of(argument);
        return kind.flatMap(known -> before.connection()
                .map(connection ->
                        new WordUnderCursor(known, typed, before.bundle().orElse(null), connection)));
    }

    /// The words between the command and the unfinished word.
    private static final class Before {
        private final CommandLine command;
        private final List<String> arguments = new ArrayList<>();
        private final List<String> place;
        private @Nullable OptionSpec open;
        private boolean onlyArguments;

        /// @param path the names that lead to the command
        Before(CommandLine command, List<String> path) {
            this.command = command;
            this.place = new ArrayList<>(path);
        }

        void add(String word) {
            if (open != null) {
                if (List.of("--url", "--ca-file").contains(open.longestName())) {
                    place.addAll(List.of(open.longestName(), word));
                }
                open = null;
            } else if (onlyArguments || !word.startsWith("-")) {
                arguments.add(word);
            } else if (word.equals("--")) {
                onlyArguments = true;
            } else {
                var option = command.getCommandSpec().optionsMap().get(word);
                open = option != null && option.arity().max() > 0 ? option : null;
            }
        }

        @Nullable
        ArgSpec following(String typed) {
            if (open != null || typed.startsWith("-")) {
                return open;
            }
            return command.getCommandSpec().positionalParameters().stream()
                    .filter(parameter -> parameter.index().contains(arguments.size()))
                    .findFirst()
                    .orElse(null);
        }

        Optional<RepositoryName> bundle() {
            return command.getCommandSpec().positionalParameters().stream()
                    .filter(parameter -> Kind.of(parameter)
                            .filter(kind -> kind == Kind.BUNDLE || kind == Kind.REFERENCE)
                            .isPresent())
                    .map(parameter -> parameter.index().min())
                    .filter(index -> index < arguments.size())
                    .findFirst()
                    .flatMap(index -> parsed(arguments.get(index)));
        }

        private static Optional<RepositoryName> parsed(String reference) {
            try {
                return Optional.of(RepositoryName.parse(reference.replaceFirst("[:@].*", "")));
            } catch (ProblemException e) {
                return Optional.empty();
            }
        }

        /// Returns the connection of the command, with the registry that was typed.
        Optional<Connection> connection() {
            try {
                command.getCommandSpec().root().commandLine().parseArgs(place.toArray(String[]::new));
            } catch (MissingParameterException e) {
                // the command line is not complete yet
            } catch (ParameterException e) {
                return Optional.empty();
            }
            return command.getMixins().get("connection") instanceof Connection connection
                    ? Optional.of(connection)
                    : Optional.empty();
        }
    }
}
