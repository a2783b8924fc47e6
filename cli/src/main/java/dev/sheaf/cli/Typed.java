package dev.sheaf.cli;

import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/// What somebody typed, so that advice can be pasted as it is.
///
/// @param command the whole line, as a shell reads it
/// @param login the command that would log in where this one went
/// @param values of the arguments that are no options, as far as they were read
record Typed(String command, String login, List<Object> values) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    Typed {
        values = List.copyOf(values);
    }

    static Typed of(CommandLine command, List<String> arguments) {
        String login = command.getMixins().get("connection") instanceof Connection connection
                ? "sheaf login --url " + connection.url()
                : "sheaf login";
        List<Object> values = command.getCommandSpec().positionalParameters().stream()
                .<Object>map(ArgSpec::getValue)
                .filter(value -> value != null)
                .toList();
        return new Typed(line(arguments), login, values);
    }

    private static String line(List<String> arguments) {
        return arguments.stream().map(Typed::quoted).collect(Collectors.joining(" ", "sheaf ", ""));
    }

    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    /// The bundle that the command is about.
    Optional<RepositoryName> bundle() {
        return find(RepositoryName.class).or(() -> find(Reference.class).map(Reference::repository));
    }

    Optional<Tag> tag() {
        return find(Tag.class);
    }

    /// The exact version that the command names.
    Optional<Version> version() {
        return find(Version.class)
                .or(() -> find(Reference.class)
                        .map(Reference::selector)
                        .filter(Selector.ByVersion.class::isInstance)
                        .map(selector -> ((Selector.ByVersion) selector).version()));
    }

    private <T> Optional<T> find(Class<T> type) {
        return values.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /// The same command with another version in its reference.
    Optional<String> with(Version other) {
        return find(Reference.class)
                .filter(reference -> command.contains(quoted(reference.toString())))
                .map(reference -> command.replace(quoted(reference.toString()), reference.repository() + ":" + other));
    }
}
