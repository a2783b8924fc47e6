package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Joined;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Groups the commands below.
@Command(
        name = "invitations",
        description = "Manages invitations, and accepts one.",
        synopsisSubcommandLabel = "COMMAND")
public final class InvitationsCommand {
    @Command(name = "list", aliases = "ls", description = "Lists the invitations, ended ones included.")
    public static final class ListAll extends MembersCommand.OfOrganization {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = members(client).invitations();
            var table = new Table("ID", "STATE", "ROLE", "UNTIL", "E-MAIL");
            all.forEach(invitation -> table.row(
                    invitation.id(),
                    invitation.state(),
                    invitation.role(),
                    Text.time(invitation.expiresAt()),
                    invitation.email()));
            output.list(all, Invitation::id, table, "there are no invitations");
            return ExitCode.OK;
        }
    }

    /// A command about one invitation.
    abstract static class OfInvitation extends MembersCommand.OfOrganization {
        @Parameters(
                paramLabel = "ID",
                description = "Id of the invitation, as shown by sheaf members invitations list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        IdOrEnd id;

        /// Returns the full id, which may take a request.
        UUID id(SheafClient client) {
            return id.among("invitation", members(client)::invitations, Invitation::id);
        }

        OfInvitation(Connection connection) {
            super(connection);
        }
    }

    @Command(name = "resend", description = "Prints a new token of an invitation, once. The old token stops working.")
    public static final class Resend extends OfInvitation {
        public Resend(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return invited(members(client).resend(id(client)));
        }
    }

    @Command(name = "revoke", description = "Revokes an invitation.")
    public static final class Revoke extends OfInvitation {
        @Mixin
        private final Confirmation confirmation;

        public Revoke(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        /// The JSON of a revocation.
        record Revoked(String revoked) {}

        @Override
        protected boolean ready() {
            return confirmation.given("revoke the invitation " + id + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var whole = id(client);
            members(client).revoke(whole);
            output.done(new Revoked(whole.toString()), whole, "revoked the invitation " + whole);
            return ExitCode.OK;
        }
    }

    /// Not a [RegistryCommand]: for a new account there is no credential yet, so none is sent.
    @Command(
            name = "accept",
            description = "Accepts an invitation; reads its token from standard input. The account that is logged in "
                    + "accepts it; with --new, a new account does.",
            footer = {"", "With --new, the second line is the password of the new account."})
    public static final class Accept implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Option(names = "--new", description = "Create an account; its password is read, too.")
        private boolean fresh;

        @Option(names = "--name", paramLabel = "NAME", description = "Full name for the new account.")
        private @Nullable String name;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Accept(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            var token = read("token of the invitation");
            var password = fresh ? read("password of the new account") : null;
            try (var client = fresh ? connection.open(null) : connection.open()) {
                var joined = client.account().join(token, password, name);
                output.done(joined, joined.organization().handle(), sentence(joined));
            }
            return ExitCode.OK.status();
        }

        private String sentence(Joined joined) {
            var organization = joined.organization();
            String place = joined.role() + " of " + organization.name() + " (" + organization.handle() + ")";
            var user = joined.user();
            return user == null
                    ? "you are " + place + " once you sign in: sheaf login --url " + connection.url()
                            + Optional.ofNullable(joined.next())
                                    .map(next -> "; " + next)
                                    .orElse("")
                    : user.email() + " is now " + place;
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
}
