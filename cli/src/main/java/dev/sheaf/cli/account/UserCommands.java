package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Users;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserRequest;
import dev.sheaf.model.wire.account.UserTicket;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The commands of `sheaf admin user`: the accounts of people.
public final class UserCommands {
    private UserCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "user",
                        "Manages accounts of people. A new account has no password until its owner sets one.",
                        "With --local, create, reset-password and remove-totp work on the storage itself, without a server.")
                .add(UserCommands::create)
                .add(UserCommands::list)
                .add(connection -> change(
                        connection,
                        "disable",
                        "Disables an account and ends its sessions.",
                        Users::disable,
                        User::state))
                .add(connection ->
                        change(connection, "enable", "Enables an account again.", Users::enable, User::state))
                .add(connection -> change(
                        connection,
                        "remove-totp",
                        "Removes the authenticator of an account. The password alone is then enough.",
                        Users::removeTotp,
                        _ -> "without an authenticator"))
                .add(UserCommands::resetPassword);
    }

    private static ResourceCommand<Users> users(Connection connection, String name, String description) {
        return ResourceCommand.of(connection, SheafClient::users, name, description);
    }

    private static RequiredValue<String> user(CliCommand command) {
        return command.argument("USER", "Id or e-mail address of the account.");
    }

    private static CliCommand create(Connection connection) {
        var command = users(connection, "create", "Creates an account, and prints a token to set its password with.");
        var email = command.requiredOption("--email", "ADDRESS", "The person's e-mail address.");
        var name = command.option("--name", "NAME", "The person's full name.");
        var organization =
                command.option("--organization", "ORG", "Id or handle of the organization to become a member of.");
        var role = command.option(
                Role.class, "--role", "ROLE", "Role in that organization: owner, admin, publisher or reader.");
        var passwordFromInput = command.flag("--password-stdin", "Read a password from standard input instead.");
        return command.run(users -> {
            String password = passwordFromInput.isGiven()
                    ? connection.shell().readSecret("password").orElse("")
                    : null;
            print(
                    users.create(new UserRequest(
                            email.get(),
                            name.get(),
                            password,
                            organization.get(),
                            role.isGiven() ? String.valueOf(role.get()) : null)),
                    command.output);
        });
    }

    /// Prints the new token; an account with a password has none.
    private static void print(UserTicket made, Output output) {
        var user = made.user();
        String account = "account " + user.email() + " (" + user.id() + ")";
        var token = made.passwordToken();
        if (token == null) {
            output.done(made, user.id(), account);
        } else {
            output.secret(
                    made,
                    token,
                    account + "; hand this token to its owner, who sets a password with it"
                            + ": sheaf account password --token; it works once, until "
                            + TextFormat.time(made.passwordTokenExpiresAt()));
        }
    }

    private static CliCommand list(Connection connection) {
        return users(connection, "list", "Lists the hundred latest accounts, the newest first.")
                .alias("ls")
                .list(
                        Users::latest,
                        User::id,
                        new Table<User>()
                                .column("ID", User::id)
                                .column("STATE", User::state)
                                .column("E-MAIL", User::email)
                                .column(
                                        "ORGANIZATIONS",
                                        user -> user.organizations().stream()
                                                .map(place -> place.handle() + " (" + place.role() + ")")
                                                .collect(Collectors.joining(", "))),
                        "there are no accounts yet");
    }

    /// @param state describes the changed account
    private static CliCommand change(
            Connection connection,
            String name,
            String description,
            BiFunction<Users, String, User> change,
            Function<User, String> state) {
        var command = users(connection, name, description);
        var user = user(command);
        return command.change(
                users -> change.apply(users, user.get()),
                User::id,
                changed -> "account " + changed.email() + " is " + state.apply(changed));
    }

    private static CliCommand resetPassword(Connection connection) {
        var command = users(
                connection,
                "reset-password",
                "Prints a token to set a new password with. The old password works until then.");
        var user = user(command);
        return command.run(users -> print(users.resetPassword(user.get()), command.output));
    }
}
