package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.RecoveryCodes;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The commands of `sheaf account totp`: codes of an authenticator besides the password.
@Command(
        name = "totp",
        description = "Manages the second factor: codes of an authenticator.",
        synopsisSubcommandLabel = "COMMAND")
public final class TotpCommands {
    static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new TotpCommands())
                .addSubcommand(new Begin(connections.get()))
                .addSubcommand(new Confirm(connections.get()))
                .addSubcommand(new Codes(connections.get()))
                .addSubcommand(new Remove(connections.get()));
    }

    /// A command that reads secrets: it asks on a terminal, and reads lines of standard input elsewhere.
    abstract static class WithSecrets extends RegistryCommand {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        WithSecrets(Connection connection) {
            super(connection);
        }

        /// Returns the password; null for an empty line, if the account has none.
        @Nullable
        Secret password() {
            return connection
                    .shell()
                    .readSecret("your password (empty: you have none)")
                    .map(Secret::of)
                    .orElse(null);
        }

        Secret code() {
            return Optional.ofNullable(connection
                            .shell()
                            .readSecret("code of the authenticator")
                            .orElse(null))
                    .map(String::strip)
                    .map(Secret::of)
                    .orElseThrow(
                            () -> new ParameterException(spec.commandLine(), "there is no code on standard input"));
        }

        /// Prints the codes, one on each line.
        ExitCode show(RecoveryCodes codes, String sentence) {
            output.show(
                    codes,
                    shell -> {
                        shell.say(sentence
                                + "; each of these recovery codes works once in place of a code. Keep them safe: they are"
                                + " not shown again");
                        codes.recoveryCodes().forEach(shell.out()::println);
                    },
                    codes::recoveryCodes);
            return ExitCode.OK;
        }
    }

    @Command(
            name = "begin",
            description = "Prints the secret for an authenticator, once. Codes are asked for only after totp confirm.",
            footer = {"", "Reads your password from standard input, or an empty line if you have none."})
    public static final class Begin extends WithSecrets {
        public Begin(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var made = client.account().beginTotp(password());
            output.show(
                    made,
                    shell -> {
                        shell.say("type this secret into an authenticator, or open the address with it; then: sheaf"
                                + " account totp confirm" + connection.typed());
                        shell.out().println(made.secret());
                        shell.out().println(made.uri());
                    },
                    () -> java.util.List.of(made.secret()));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "confirm",
            description = "Starts asking for codes, and prints recovery codes, once.",
            footer = {"", "Reads a code of the authenticator from standard input."})
    public static final class Confirm extends WithSecrets {
        public Confirm(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return show(
                    client.account().confirmTotp(code()), "from now on, signing in needs a code of your authenticator");
        }
    }

    @Command(
            name = "codes",
            description = "Prints new recovery codes, once. The old ones stop working.",
            footer = {"", "Reads your password and then a code of the authenticator from standard input."})
    public static final class Codes extends WithSecrets {
        public Codes(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var password = password();
            return show(client.account().renewRecoveryCodes(password, code()), "the old codes no longer work");
        }
    }

    @Command(
            name = "remove",
            aliases = "rm",
            description = "Stops asking for codes.",
            footer = {"", "Reads your password and then a code of the authenticator from standard input."})
    public static final class Remove extends WithSecrets {
        public Remove(Connection connection) {
            super(connection);
        }

        /// The JSON of a removal.
        record Shown(boolean totpEnabled) {}

        @Override
        protected ExitCode run(SheafClient client) {
            var password = password();
            client.account().removeTotp(password, code());
            output.done(new Shown(false), "removed", "signing in no longer needs a code");
            return ExitCode.OK;
        }
    }
}
