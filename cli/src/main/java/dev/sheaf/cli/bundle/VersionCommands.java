package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.client.Bundle;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.wire.bundle.TagStatus;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Commands that change the state of a published version.
public final class VersionCommands {
    private VersionCommands() {}

    /// A command about one version.
    abstract static class OfVersion extends RegistryCommand {
        @Parameters(paramLabel = "REF", description = "namespace/bundle:version.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        Reference reference;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        OfVersion(Connection connection) {
            super(connection);
        }

        Bundle bundle(SheafClient client) {
            return client.bundle(reference.repository());
        }

        /// Returns the exact version; refuses tags, because a tag could move.
        Version version() {
            if (reference.selector() instanceof Selector.ByVersion(Version version)) {
                return version;
            }
            String typed = reference.selector().toString();
            boolean letter = typed.matches("[vV]\\d+\\.\\d+\\.\\d+.*");
            throw new ParameterException(
                    spec.commandLine(),
                    (letter ? "write the version without the v: " : "this needs an exact version: ")
                            + spec.qualifiedName() + " " + reference.repository() + ":"
                            + (letter ? typed.substring(1) : "1.2.3"));
        }

        boolean isWholeBundle() {
            return reference.selector() instanceof Selector.Default;
        }

        ExitCode done(Object answer, String sentence) {
            output.done(answer, reference, sentence);
            return ExitCode.OK;
        }
    }

    @Command(name = "yank", description = "Withdraws a version: only pinned references still get it.")
    public static final class Yank extends OfVersion {
        @Mixin
        private final Confirmation confirmation;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, in a sentence.")
        private @Nullable String reason;

        @Option(names = "--code", paramLabel = "CODE", description = "broken, security, license, accidental or other.")
        private @Nullable YankReason code;

        @Option(names = "--replacement", paramLabel = "TEXT", description = "What to use instead.")
        private @Nullable String replacement;

        public Yank(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("yank " + reference.repository() + ":" + version() + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var tags = bundle(client).tags();
            var there = tags.list().stream()
                    .filter(tag -> version().toString().equals(tag.version()))
                    .map(TagStatus::name)
                    .toList();
            var exit = done(
                    bundle(client).yank(version(), reason, code, replacement),
                    "yanked " + reference + "; to undo this: sheaf unyank " + reference + connection.typed());
            if (replacement != null && isMissing(client, replacement)) {
                output.note("the replacement " + replacement + " does not exist at " + connection.url()
                        + ", or not for you; to name another: sheaf unyank " + reference + connection.typed()
                        + ", then yank it again");
            }
            if (!there.isEmpty()) {
                var now = tags.list().stream().collect(Collectors.toMap(TagStatus::name, Function.identity()));
                there.forEach(name -> output.say("note: the tag " + name + moved(now.get(name))));
                if (there.stream().anyMatch(name -> !name.equals(Tag.LATEST.toString()))) {
                    output.say("note: an unyank does not move tags back, except latest");
                }
            }
            return exit;
        }

        /// Returns whether a replacement reads as a reference, and the registry does not know it.
        private static boolean isMissing(SheafClient client, String replacement) {
            try {
                client.resolve(Reference.parse(replacement));
                return false;
            } catch (SheafException.NotFound e) {
                return true;
            } catch (ProblemException | SheafException e) {
                return false; // a text, or unknown; the yank is done
            }
        }

        private static String moved(@Nullable TagStatus tag) {
            return tag == null || tag.version() == null
                    ? " is removed: there is no lower version that it can move to"
                    : " points to " + tag.version() + " now";
        }
    }

    @Command(name = "unyank", description = "Undoes a yank. Tags that left the version stay where they are.")
    public static final class Unyank extends OfVersion {
        public Unyank(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return done(bundle(client).unyank(version()), reference + " is not yanked now");
        }
    }

    @Command(
            name = "deprecate",
            description = "Advises against a version or a bundle, which still works. A REF without a version means the "
                    + "whole bundle.")
    public static final class Deprecate extends OfVersion {
        @Option(names = "--message", paramLabel = "TEXT", description = "Why, in a sentence.")
        private @Nullable String message;

        @Option(names = "--replacement", paramLabel = "TEXT", description = "What to use instead.")
        private @Nullable String replacement;

        public Deprecate(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var bundle = bundle(client);
            return done(
                    isWholeBundle()
                            ? bundle.deprecate(message, replacement)
                            : bundle.deprecate(version(), message, replacement),
                    reference + " is deprecated; to undo this: sheaf undeprecate " + reference + connection.typed());
        }
    }

    @Command(name = "undeprecate", description = "Removes the advice against a version or a bundle.")
    public static final class Undeprecate extends OfVersion {
        public Undeprecate(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var bundle = bundle(client);
            return done(
                    isWholeBundle() ? bundle.undeprecate() : bundle.undeprecate(version()),
                    reference + " is no longer deprecated");
        }
    }
}
