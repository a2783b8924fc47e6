package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.Members;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Member;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands about the members of an organization; [InvitationsCommand] is one of them.
@Command(
        name = "members",
        description = "Invites, lists and removes members of an organization. Needs the scope admin.",
        synopsisSubcommandLabel = "COMMAND")
public final class MembersCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new MembersCommand())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Invite(connections.get()))
                .addSubcommand(new ChangeRole(connections.get()))
                .addSubcommand(new Remove(connections.get()))
                .addSubcommand(new CommandLine(new InvitationsCommand())
                        .addSubcommand(new InvitationsCommand.ListAll(connections.get()))
                        .addSubcommand(new InvitationsCommand.Resend(connections.get()))
                        .addSubcommand(new InvitationsCommand.Revoke(connections.get()))
                        .addSubcommand(new InvitationsCommand.Accept(connections.get())));
    }

    /// A command about the people of one organization.
    abstract static class OfOrganization extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        OfOrganization(Connection connection) {
            super(connection);
        }

        Members members(SheafClient client) {
            return client.members(organization.value());
        }

        /// Prints the token of an invitation, because the registry sends no mail.
        ExitCode invited(Invitation invitation) {
            output.secret(
                    invitation,
                    Objects.requireNonNull(invitation.token(), "the answer has no token"),
                    "invited " + invitation.email() + " as " + invitation.role()
                            + "; hand them this token, valid until "
                            + Text.time(invitation.expiresAt())
                            + ". They accept with: sheaf members invitations accept --url " + connection.url()
                            + ", with --new if they have no account");
            return ExitCode.OK;
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the members.")
    public static final class ListAll extends OfOrganization {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = members(client).list();
            var table = new Table("ID", "ROLE", "SINCE", "E-MAIL", "NAME");
            all.forEach(member -> table.row(
                    member.userId(),
                    member.role(),
                    Text.time(member.createdAt()),
                    member.email() + (member.disabled() ? " (disabled)" : ""),
                    member.fullName() == null ? "" : member.fullName()));
            output.list(
                    all,
                    Member::email,
                    table,
                    "the organization has no members; to invite somebody: sheaf members invite ADDRESS");
            return ExitCode.OK;
        }
    }

    @Command(name = "invite", description = "Invites a person, and prints the token to hand to them, once.")
    public static final class Invite extends OfOrganization {
        @Parameters(paramLabel = "ADDRESS", description = "The person's e-mail address.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private EmailAddress email;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                description = "owner, admin, publisher or reader. Default: reader.")
        private Role role = Role.READER;

        public Invite(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return invited(members(client).invite(email, role));
        }
    }

    /// A command about one member.
    abstract static class OfMember extends OfOrganization {
        @Parameters(index = "0", paramLabel = "USER", description = "Id or e-mail address of the member.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String user;

        OfMember(Connection connection) {
            super(connection);
        }
    }

    @Command(
            name = "role",
            description = "Changes the role of a member. Only owners can grant or remove the role owner.")
    public static final class ChangeRole extends OfMember {
        @Parameters(index = "1", paramLabel = "ROLE", description = "owner, admin, publisher or reader.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Role role;

        public ChangeRole(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var members = members(client);
            var changed = members.change(members.find(user).userId(), role);
            output.done(changed, changed.role(), changed.email() + " is now " + changed.role());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "remove",
            aliases = "rm",
            description = "Removes a member. Their sessions no longer act for the organization.")
    public static final class Remove extends OfMember {
        @Mixin
        private final Confirmation confirmation;

        public Remove(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("remove " + user + " from the organization at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var members = members(client);
            var member = members.find(user);
            members.remove(member.userId());
            output.done(
                    new Removed(member.email()),
                    member.email(),
                    "removed " + member.email() + "; to bring them back: sheaf members invite " + member.email()
                            + " --role " + member.role());
            return ExitCode.OK;
        }
    }
}
