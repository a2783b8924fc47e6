package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/// The command line as typed, so that advice can be pasted.
///
/// @param command the whole line, as a shell reads it
/// @param login the command that logs in to the same registry
/// @param sender the kind of credential that was sent
/// @param at ` --url …` if it was typed, else empty
/// @param values the arguments that are not options, as far as they were parsed
/// @param parameters the options and arguments of the command
public record TypedCommand(
        String command, String login, Sender sender, String at, List<Object> values, CommandParameters parameters) {
    /// The credential of a request.
    public enum Sender {
        /// No key and no session.
        NOBODY,
        /// The key of SHEAF_API_KEY, which overrides a login.
        VARIABLE,
        /// A stored key.
        KEY,
        /// A session.
        SESSION
    }

    /// The start of every login command.
    public static final String LOGIN = "sheaf login";

    public TypedCommand {
        values = List.copyOf(values);
    }

    public static TypedCommand of(CommandLine command, List<String> arguments) {
        List<Object> values = command.getCommandSpec().positionalParameters().stream()
                .<Object>map(ArgSpec::getValue)
                .filter(value -> value != null)
                .flatMap(value -> value instanceof List<?> several ? several.stream() : Stream.of(value))
                .<Object>map(value -> value)
                .toList();
        return command.getMixins().get("connection") instanceof Connection connection
                ? new TypedCommand(
                        line(arguments),
                        login(connection),
                        sender(connection),
                        at(connection),
                        values.stream().map(value -> own(connection, value)).toList(),
                        CommandParameters.of(command))
                : new TypedCommand(line(arguments), LOGIN, Sender.NOBODY, "", values, CommandParameters.of(command));
    }

    /// Turns an artifact with the host of this registry into a bundle.
    private static Object own(Connection connection, Object value) {
        try {
            return value instanceof PullTarget.Artifact artifact
                    ? PullTarget.at(connection.url(), artifact)
                            .<Object>map(bundle -> bundle)
                            .orElse(value)
                    : value;
        } catch (ProblemException | SheafException e) {
            return value; // the address cannot be read; that is the failure to report
        }
    }

    private static String login(Connection connection) {
        try {
            return LOGIN + " --url " + connection.url();
        } catch (ProblemException | SheafException e) {
            return LOGIN; // the address cannot be read; that is the failure to report
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
            return Sender.KEY; // the stored key cannot be read, so it was not sent
        }
    }

    private static String line(List<String> arguments) {
        return arguments.stream().map(ShellWord::of).collect(Collectors.joining(" ", "sheaf ", ""));
    }

    /// Returns the bundle that the command is about.
    public Optional<RepositoryName> bundle() {
        return find(RepositoryName.class).or(() -> reference().map(Reference::repository));
    }

    private Optional<Reference> reference() {
        return find(Reference.class)
                .or(() -> find(PullTarget.Bundle.class).map(PullTarget.Bundle::reference))
                .or(() -> find(BundleSelection.class).map(BundleSelection::reference));
    }

    /// Returns the queue that the command is about.
    public Optional<String> queue() {
        return parameters.value("QUEUE");
    }

    /// Returns the id that the command names, or its end.
    public String id() {
        return find(IdOrEnd.class).map(IdOrEnd::text).orElse("ID");
    }

    /// Returns the registry that the reference names, if any.
    public Optional<String> host() {
        return find(PullTarget.Artifact.class).map(artifact -> artifact.text().replaceFirst("/.*", ""));
    }

    public Optional<Tag> tag() {
        return find(Tag.class);
    }

    /// Returns the exact version that the command names.
    public Optional<Version> version() {
        return find(Version.class)
                .or(() -> reference()
                        .map(Reference::selector)
                        .filter(VersionSelector.ByVersion.class::isInstance)
                        .map(selector -> ((VersionSelector.ByVersion) selector).version()));
    }

    /// Returns whether the command only reads a bundle that it names.
    public boolean reads() {
        return bundle().isPresent()
                && command.matches(
                        "(?s)sheaf (?:add|pull|resolve|info|versions|lock|diff|verify|open|tags ls)(?: .*)?");
    }

    /// Returns whether the command publishes a version.
    public boolean publishes() {
        return command.matches("(?s)sheaf (?:push|publish)(?: .*)?");
    }

    /// Returns what to do if the version number is used.
    public String raised() {
        return (version().isEmpty() ? "raise the version in sheaf.yaml" : "raise the version")
                + " and push again"
                + version()
                        .flatMap(TypedCommand::next)
                        .flatMap(this::with)
                        .map(again -> ": " + again)
                        .orElse("");
    }

    /// Returns the next patch version.
    private static Optional<Version> next(Version version) {
        var patch = new BigInteger(version.patch());
        String next = version.prerelease().isEmpty() ? patch.add(BigInteger.ONE).toString() : version.patch();
        return Optional.of(Version.parse(version.major() + "." + version.minor() + "." + next));
    }

    private <T> Optional<T> find(Class<T> type) {
        return values.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /// Returns the same command with another version in its reference.
    public Optional<String> with(Version other) {
        return find(Reference.class)
                .filter(reference -> command.contains(ShellWord.of(reference.toString())))
                .map(reference ->
                        command.replace(ShellWord.of(reference.toString()), reference.repository() + ":" + other));
    }
}
