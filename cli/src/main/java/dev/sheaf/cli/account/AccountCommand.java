package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.SessionView;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Groups the commands about a person's own account; [TotpCommands] manages the second factor.
@Command(
        name = "account",
        description = "Manages your own account: password, sessions, second factor. Sign in first: sheaf login.",
        synopsisSubcommandLabel = "COMMAND")
public final class AccountCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new AccountCommand())
                .addSubcommand(new Show(connections.get()))
                .addSubcommand(new Password(connections.get()))
                .addSubcommand(new CommandLine(new Sessions())
                        .addSubcommand(new ListSessions(connections.get()))
                        .addSubcommand(new EndSession(connections.get())))
                .addSubcommand(TotpCommands.of(connections));
    }

    @Command(name = "show", description = "Shows who you are, and what you may do in which organization.")
    public static final class Show extends RegistryCommand {
        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var me = client.account().show();
            output.one(
                    me,
                    me.email(),
                    new Summary()
                            .line("address", me.email())
                            .line("name", me.fullName())
                            .line("id", me.id())
                            .line("codes", me.totpEnabled() ? "asked for" : "not asked for")
                            .line(
                                    "member of",
                                    me.organizations().stream()
                                            .map(place -> place.handle() + " (" + place.role() + ")")
                                            .toList()));
            return ExitCode.OK;
        }
    }

    /// Not a [RegistryCommand]: with a token there is no credential yet, so none is sent.
    @Command(
            name = "password",
            description = "Changes your password. With --token, sets the first password; an administrator hands out "
                    + "that token.",
            footer = {
                "",
                "On a terminal it asks for both. Elsewhere, standard input has two lines: your current password "
                        + "or the token, and then the new password, of at least 12 characters."
            })
    public static final class Password implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Option(names = "--token", description = "Set the password with a token (shp_…); it is read from the input.")
        private boolean token;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Password(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        /// The JSON of a new password.
        record Shown(boolean passwordSet) {}

        @Override
        public Integer call() {
            var proof = read(token ? "token" : "current password");
            var fresh = read("new password");
            if (connection.shell().terminal() && !fresh.equals(read("new password once more"))) {
                throw new ParameterException(spec.commandLine(), "the two new passwords differ; nothing was changed");
            }
            try (var client = token ? connection.open(null) : connection.open()) {
                if (token) {
                    client.account().setPassword(proof, fresh);
                } else {
                    client.account().changePassword(proof, fresh);
                }
            }
            String next = token
                    ? "the password is set; sign in: sheaf login --url " + connection.url()
                    : "the password is changed; your other sessions have ended";
            output.done(new Shown(true), "set", next);
            return ExitCode.OK.status();
        }

        private Secret read(String what) {
            return connection
                    .shell()
                    .readSecret(what)
                    .map(Secret::of)
                    .orElseThrow(() ->
                            new ParameterException(spec.commandLine(), "there is no " + what + " on standard input"));
        }
    }

    /// Groups the commands below.
    @Command(name = "sessions", description = "Lists and ends your sessions.", synopsisSubcommandLabel = "COMMAND")
    public static final class Sessions {}

    @Command(name = "list", aliases = "ls", description = "Lists your sessions, the newest first.")
    public static final class ListSessions extends RegistryCommand {
        public ListSessions(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = client.account().sessions();
            var table = new Table("ID", "BY", "DEVICE", "ADDRESS", "LAST USED", "NOTE");
            all.forEach(session -> table.row(
                    session.id(),
                    session.method(),
                    session.device().isEmpty() ? "-" : session.device(),
                    session.address(),
                    Text.time(session.lastUsedAt()),
                    session.current() ? "this one" : ""));
            output.list(all, SessionView::id, table, "there are no sessions");
            return ExitCode.OK;
        }
    }

    @Command(name = "end", description = "Ends one of your sessions.")
    public static final class EndSession extends RegistryCommand {
        @Parameters(paramLabel = "ID", description = "Id of the session, as shown by sheaf account sessions list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        @Mixin
        private final Confirmation confirmation;

        public EndSession(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("end the session " + id + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var whole = id.among("session", client.account()::sessions, SessionView::id);
            client.account().endSession(whole);
            output.done(new Removed(whole.toString()), whole, "ended the session " + whole);
            return ExitCode.OK;
        }
    }
}
