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
        description = "Has codes of an authenticator asked for besides the password, or no more.",
        synopsisSubcommandLabel = "COMMAND")
public final class TotpCommands {
    static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new TotpCommands())
                .addSubcommand(new Begin(connections.get()))
                .addSubcommand(new Confirm(connections.get()))
                .addSubcommand(new Codes(connections.get()))
                .addSubcommand(new Remove(connections.get()));
    }

    /// What takes secrets, which are asked for on a terminal and are lines of standard input elsewhere.
    abstract static class WithSecrets extends RegistryCommand {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        WithSecrets(Connection connection) {
            super(connection);
        }

        /// The password; null where an empty line says that the account has none.
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

        /// Prints what is shown this once, a code on each line.
        ExitCode show(RecoveryCodes codes, String sentence) {
            output.show(
                    codes,
                    shell -> {
                        shell.say(
                                sentence + "; each of these codes lets you in once without it. Keep them safe: they are"
                                        + " not shown again");
                        codes.recoveryCodes().forEach(shell.out()::println);
                    },
                    codes::recoveryCodes);
            return ExitCode.OK;
        }
    }

    @Command(
            name = "begin",
            description =
                    "Prints the secret for an authenticator, this once. No code is asked for before totp confirm.",
            footer = {"", "Reads your password from standard input, an empty line where you have none."})
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
            description = "Has codes asked for from now on, and prints recovery codes, this once.",
            footer = {"", "Reads a code of the authenticator from standard input."})
    public static final class Confirm extends WithSecrets {
        public Confirm(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return show(client.account().confirmTotp(code()), "codes of your authenticator are asked for from now on");
        }
    }

    @Command(
            name = "codes",
            description = "Makes other recovery codes, and prints them, this once; those before are good no more.",
            footer = {"", "Reads your password and then a code of the authenticator from standard input."})
    public static final class Codes extends WithSecrets {
        public Codes(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var password = password();
            return show(client.account().renewRecoveryCodes(password, code()), "the codes before are good no more");
        }
    }

    @Command(
            name = "remove",
            aliases = "rm",
            description = "Has no codes asked for any more.",
            footer = {"", "Reads your password and then a code of the authenticator from standard input."})
    public static final class Remove extends WithSecrets {
        public Remove(Connection connection) {
            super(connection);
        }

        /// The JSON of the end.
        record Shown(boolean totpEnabled) {}

        @Override
        protected ExitCode run(SheafClient client) {
            var password = password();
            client.account().removeTotp(password, code());
            output.done(new Shown(false), "removed", "no codes are asked for any more");
            return ExitCode.OK;
        }
    }
}
