package dev.sheaf.cli;

import dev.sheaf.client.Bundle;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// What a publisher says of a version, after it was published.
final class VersionCommands {
    private VersionCommands() {}

    /// Which version, and how the result is shown.
    static final class Target {
        @Parameters(paramLabel = "REF", description = "namespace/bundle:version.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Reference reference;

        @Spec(Spec.Target.MIXEE)
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec command;

        Bundle bundle(dev.sheaf.client.SheafClient client) {
            return client.bundle(reference.repository());
        }

        /// The exact version, since tags move.
        Version version() {
            if (reference.selector() instanceof Selector.ByVersion(Version version)) {
                return version;
            }
            throw new ParameterException(
                    command.commandLine(),
                    "this needs an exact version: " + command.qualifiedName() + " " + reference.repository()
                            + ":1.2.3");
        }

        boolean isWholeBundle() {
            return reference.selector() instanceof Selector.Default;
        }

        /// Prints the registry's answer, or for people only says what was done.
        void show(Output output, Object answer, String done) {
            output.show(answer, shell -> shell.say(done), () -> List.of(reference));
        }

        @Override
        public String toString() {
            return reference.toString();
        }
    }

    @Command(
            name = "yank",
            description = "Takes a version back: tags and ranges no longer find it, who has pinned it still does.")
    static final class Yank implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Target target = new Target();

        @Mixin
        private final Confirmation confirmation;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, in a sentence.")
        private @Nullable String reason;

        @Option(names = "--code", paramLabel = "CODE", description = "broken, security, license, accidental or other.")
        private @Nullable YankReason code;

        @Option(names = "--replacement", paramLabel = "TEXT", description = "What to use instead.")
        private @Nullable String replacement;

        Yank(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        public Integer call() {
            var version = target.version();
            if (confirmation.given("yank " + target + " at " + connection.url())) {
                try (var client = connection.open()) {
                    var detail = target.bundle(client).yank(version, reason, code, replacement);
                    target.show(output, detail, "yanked " + target + "; to take that back: sheaf unyank " + target);
                }
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "unyank", description = "Takes a yank back. Tags that left the version stay where they are.")
    static final class Unyank implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Target target = new Target();

        Unyank(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            var version = target.version();
            try (var client = connection.open()) {
                target.show(output, target.bundle(client).unyank(version), target + " is no longer yanked");
            }
            return ExitCode.OK.status();
        }
    }

    @Command(
            name = "deprecate",
            description = "Advises against a version, or against a bundle where REF names no version. Both still work.")
    static final class Deprecate implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Target target = new Target();

        @Option(names = "--message", paramLabel = "TEXT", required = true, description = "Why, in a sentence.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String message;

        @Option(names = "--replacement", paramLabel = "TEXT", description = "What to use instead.")
        private @Nullable String replacement;

        Deprecate(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var bundle = target.bundle(client);
                Object answer = target.isWholeBundle()
                        ? bundle.deprecate(message, replacement)
                        : bundle.deprecate(target.version(), message, replacement);
                target.show(output, answer, target + " is deprecated; to take that back: sheaf undeprecate " + target);
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "undeprecate", description = "Takes the advice against a version or a bundle back.")
    static final class Undeprecate implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Target target = new Target();

        Undeprecate(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var bundle = target.bundle(client);
                Object answer = target.isWholeBundle() ? bundle.undeprecate() : bundle.undeprecate(target.version());
                target.show(output, answer, target + " is no longer deprecated");
            }
            return ExitCode.OK.status();
        }
    }
}
