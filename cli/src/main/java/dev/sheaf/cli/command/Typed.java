package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/// What somebody typed, so that advice can be pasted as it is.
///
/// @param command the whole line, as a shell reads it
/// @param login the command that would log in where this one went
/// @param sender as whom it went to its registry
/// @param at ` --url …` where that was typed, else nothing
/// @param values of the arguments that are no options, as far as they were read
public record Typed(String command, String login, Sender sender, String at, List<Object> values) {
    /// Whose a request is.
    public enum Sender {
        /// With no key and no session.
        NOBODY,
        /// With the key of SHEAF_API_KEY, before which no login comes.
        VARIABLE,
        /// With a key that is kept.
        KEY,
        /// Signed in.
        SESSION
    }

    /// What every command line of that command begins with.
    public static final String LOGIN = "sheaf login";

    public Typed {
        values = List.copyOf(values);
    }

    public static Typed of(CommandLine command, List<String> arguments) {
        List<Object> values = command.getCommandSpec().positionalParameters().stream()
                .<Object>map(ArgSpec::getValue)
                .filter(value -> value != null)
                .flatMap(value -> value instanceof List<?> several ? several.stream() : Stream.of(value))
                .<Object>map(value -> value)
                .toList();
        return command.getMixins().get("connection") instanceof Connection connection
                ? new Typed(
                        line(arguments),
                        login(connection),
                        sender(connection),
                        at(connection),
                        values.stream().map(value -> own(connection, value)).toList())
                : new Typed(line(arguments), LOGIN, Sender.NOBODY, "", values);
    }

    /// An artifact that is named with the host of the registry that is spoken to is a bundle of it.
    private static Object own(Connection connection, Object value) {
        try {
            return value instanceof Wanted.Artifact artifact
                    ? Wanted.at(connection.url(), artifact)
                            .<Object>map(bundle -> bundle)
                            .orElse(value)
                    : value;
        } catch (ProblemException | SheafException e) {
            return value; // the address cannot be read, which is what failed
        }
    }

    private static String login(Connection connection) {
        try {
            return LOGIN + " --url " + connection.url();
        } catch (ProblemException | SheafException e) {
            return LOGIN; // the address cannot be read, which is what failed
        }
    }

    private static String at(Connection connection) {
        try {
            return connection.typed();
        } catch (ProblemException | SheafException e) {
            return ""; // as above
        }
    }

    private static Sender sender(Connection connection) {
        try {
            if (connection.hasVariable()) {
                return Sender.VARIABLE;
            }
            var credentials = connection.credentials();
            if (credentials.find().isPresent()) {
                return Sender.KEY;
            }
            return credentials.session().isPresent() ? Sender.SESSION : Sender.NOBODY;
        } catch (ProblemException | SheafException e) {
            return Sender.KEY; // what is kept cannot be read, and so was not sent
        }
    }

    private static String line(List<String> arguments) {
        return arguments.stream().map(ShellWord::of).collect(Collectors.joining(" ", "sheaf ", ""));
    }

    /// The bundle that the command is about.
    public Optional<RepositoryName> bundle() {
        return find(RepositoryName.class).or(() -> reference().map(Reference::repository));
    }

    private Optional<Reference> reference() {
        return find(Reference.class)
                .or(() -> find(Wanted.Bundle.class).map(Wanted.Bundle::reference))
                .or(() -> find(Picked.class).map(Picked::reference));
    }

    /// The id that the command names, or its end.
    public String id() {
        return find(IdOrEnd.class).map(IdOrEnd::text).orElse("ID");
    }

    /// The registry that the reference names, where it names one.
    public Optional<String> host() {
        return find(Wanted.Artifact.class).map(artifact -> artifact.text().replaceFirst("/.*", ""));
    }

    public Optional<Tag> tag() {
        return find(Tag.class);
    }

    /// The exact version that the command names.
    public Optional<Version> version() {
        return find(Version.class)
                .or(() -> reference()
                        .map(Reference::selector)
                        .filter(Selector.ByVersion.class::isInstance)
                        .map(selector -> ((Selector.ByVersion) selector).version()));
    }

    /// Whether the command only reads a bundle that it names.
    public boolean reads() {
        return bundle().isPresent()
                && command.matches(
                        "(?s)sheaf (?:add|pull|resolve|info|versions|lock|diff|verify|open|tags ls)(?: .*)?");
    }

    /// Whether the command publishes a version.
    public boolean publishes() {
        return command.matches("(?s)sheaf (?:push|publish)(?: .*)?");
    }

    /// What to do where the number of the version cannot be had.
    public String raised() {
        return (version().isEmpty() ? "raise the version in sheaf.yaml" : "raise the version")
                + " and push again"
                + version()
                        .flatMap(Typed::next)
                        .flatMap(this::with)
                        .map(again -> ": " + again)
                        .orElse("");
    }

    /// The next patch.
    private static Optional<Version> next(Version version) {
        var patch = new BigInteger(version.patch());
        String next = version.prerelease().isEmpty() ? patch.add(BigInteger.ONE).toString() : version.patch();
        return Optional.of(Version.parse(version.major() + "." + version.minor() + "." + next));
    }

    private <T> Optional<T> find(Class<T> type) {
        return values.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /// The same command with another version in its reference.
    public Optional<String> with(Version other) {
        return find(Reference.class)
                .filter(reference -> command.contains(ShellWord.of(reference.toString())))
                .map(reference ->
                        command.replace(ShellWord.of(reference.toString()), reference.repository() + ":" + other));
    }
}
