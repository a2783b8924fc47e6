package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Members;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Joined;
import dev.sheaf.model.wire.org.Member;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/// The commands of `sheaf members`: the members of an organization, and invitations to it.
public final class MemberCommands {
    /// The JSON of a revocation.
    private record Revoked(String revoked) {}

    private MemberCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "members",
                        "Invites, lists and removes members of an organization. Changes need an API key with the scope admin; people"
                                + " make them in the console.")
                .add(MemberCommands::list)
                .add(MemberCommands::invite)
                .add(MemberCommands::changeRole)
                .add(MemberCommands::remove)
                .add(new CommandGroup(connections, "invitations", "Manages invitations, and accepts one.")
                        .add(MemberCommands::invitations)
                        .add(MemberCommands::resend)
                        .add(MemberCommands::revoke)
                        .add(MemberCommands::accept));
    }

    private static ResourceCommand<Members> members(Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, SheafClient::members, name, description);
    }

    private static CliCommand list(Connection connection) {
        return members(connection, "list", "Lists the members.")
                .alias("ls")
                .list(
                        Members::list,
                        Member::email,
                        new Table<Member>()
                                .column("ID", Member::userId)
                                .column("ROLE", Member::role)
                                .column("SINCE", Member::createdAt)
                                .column("E-MAIL", member -> member.email() + (member.disabled() ? " (disabled)" : ""))
                                .column("NAME", member -> member.fullName() == null ? "" : member.fullName()),
                        "the organization has no members; to invite somebody: sheaf members invite ADDRESS");
    }

    private static CliCommand invite(Connection connection) {
        var command = members(connection, "invite", "Invites a person, and prints the token to hand to them, once.");
        var email = command.argument(EmailAddress.class, "ADDRESS", "The person's e-mail address.");
        var role = command.option(Role.class, "--role", "ROLE", "owner, admin, publisher or reader. Default: reader.");
        return invited(command, members -> members.invite(email.get(), role.or(Role.READER)));
    }

    /// Prints the token of an invitation, because the registry sends no mail.
    private static CliCommand invited(ResourceCommand<Members> command, Function<Members, Invitation> invite) {
        return command.secret(
                invite,
                Invitation::token,
                invitation -> "invited " + invitation.email() + " as " + invitation.role()
                        + "; hand them this token, valid until " + TextFormat.time(invitation.expiresAt())
                        + ". They accept with: sheaf members invitations accept --url " + command.connection.url()
                        + ", with --new if they have no account");
    }

    private static RequiredValue<String> member(CliCommand command) {
        return command.argument("USER", "Id or e-mail address of the member.");
    }

    private static CliCommand changeRole(Connection connection) {
        var command = members(
                connection, "role", "Changes the role of a member. Only owners can grant or remove the role owner.");
        var user = member(command);
        var role = command.argument(Role.class, "ROLE", "owner, admin, publisher or reader.");
        return command.change(
                members -> members.change(members.find(user.get()).userId(), role.get()),
                Member::role,
                changed -> changed.email() + " is now " + changed.role());
    }

    private static CliCommand remove(Connection connection) {
        var command = members(
                        connection, "remove", "Removes a member. Their sessions no longer act for the organization.")
                .alias("rm");
        var user = member(command);
        return command.confirm(() -> "remove " + user + " from the organization" + command.at())
                .run(members -> {
                    var member = members.find(user.get());
                    members.remove(member.userId());
                    command.removed(
                            member.email(),
                            "removed " + member.email() + "; to bring them back: sheaf members invite " + member.email()
                                    + " --role " + member.role());
                });
    }

    private static CliCommand invitations(Connection connection) {
        return members(connection, "list", "Lists the invitations, ended ones included.")
                .alias("ls")
                .list(
                        Members::invitations,
                        Invitation::id,
                        new Table<Invitation>()
                                .column("ID", Invitation::id)
                                .column("STATE", Invitation::state)
                                .column("ROLE", Invitation::role)
                                .column("UNTIL", Invitation::expiresAt)
                                .column("E-MAIL", Invitation::email),
                        "there are no invitations");
    }

    private static RequiredValue<IdOrEnd> invitation(CliCommand command) {
        return command.argument(
                IdOrEnd.class, "ID", "Id of the invitation, as shown by sheaf members invitations list.");
    }

    private static UUID id(RequiredValue<IdOrEnd> typed, Members members) {
        return typed.get().among("invitation", members::invitations, Invitation::id);
    }

    private static CliCommand resend(Connection connection) {
        var command = members(
                connection, "resend", "Prints a new token of an invitation, once. The old token stops working.");
        var invitation = invitation(command);
        return invited(command, members -> members.resend(id(invitation, members)));
    }

    private static CliCommand revoke(Connection connection) {
        var command = members(connection, "revoke", "Revokes an invitation.");
        var invitation = invitation(command);
        return command.confirm(() -> "revoke the invitation " + invitation + command.at())
                .change(
                        members -> {
                            var id = id(invitation, members);
                            members.revoke(id);
                            return new Revoked(id.toString());
                        },
                        Revoked::revoked,
                        gone -> "revoked the invitation " + gone.revoked());
    }

    private static CliCommand accept(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "accept",
                        "Accepts an invitation; reads its token from standard input. The account that is logged in "
                                + "accepts it; with --new, a new account does.")
                .footer("", "With --new, the second line is the password of the new account.");
        var fresh = command.flag("--new", "Create an account; its password is read, too.");
        var name = command.option("--name", "NAME", "Full name for the new account.");
        return command.anonymousWith(fresh)
                .change(
                        client -> {
                            var token = command.readSecret("token of the invitation");
                            var password = fresh.isGiven() ? command.readSecret("password of the new account") : null;
                            return client.account().join(token, password, name.get());
                        },
                        joined -> joined.organization().handle(),
                        joined -> sentence(joined, connection));
    }

    private static String sentence(Joined joined, Connection connection) {
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
}
