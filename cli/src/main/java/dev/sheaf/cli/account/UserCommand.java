package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Users;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserRequest;
import dev.sheaf.model.wire.account.UserTicket;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(
        name = "user",
        description = {
            "Manages accounts of people. A new account has no password until its owner sets one.",
            "With --local, create, reset-password and remove-totp work on the storage itself, without a server."
        },
        synopsisSubcommandLabel = "COMMAND")
public final class UserCommand {
    /// Prints the new token; an account with a password has none.
    private static ExitCode show(Output output, UserTicket made) {
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
                            + Text.time(made.passwordTokenExpiresAt()));
        }
        return ExitCode.OK;
    }

    @Command(name = "create", description = "Creates an account, and prints a token to set its password with.")
    public static final class Create extends RegistryCommand {
        @Option(
                names = "--email",
                required = true,
                paramLabel = "ADDRESS",
                description = "The person's e-mail address.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String email;

        @Option(names = "--name", paramLabel = "NAME", description = "The person's full name.")
        private @Nullable String name;

        @Option(
                names = "--organization",
                paramLabel = "ORG",
                description = "Id or handle of the organization to become a member of.")
        private @Nullable String organization;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                description = "Role in that organization: owner, admin, publisher or reader.")
        private @Nullable Role role;

        @Option(names = "--password-stdin", description = "Read a password from standard input instead.")
        private boolean passwordFromInput;

        public Create(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            String password = passwordFromInput
                    ? connection.shell().readSecret("password").orElse("")
                    : null;
            return show(
                    output,
                    client.users()
                            .create(new UserRequest(
                                    email, name, password, organization, role == null ? null : role.toString())));
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the hundred latest accounts, the newest first.")
    public static final class ListAll extends RegistryCommand {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var users = client.users().latest();
            var table = new Table("ID", "STATE", "E-MAIL", "ORGANIZATIONS");
            users.forEach(user -> table.row(
                    user.id(),
                    user.state(),
                    user.email(),
                    user.organizations().stream()
                            .map(place -> place.handle() + " (" + place.role() + ")")
                            .collect(Collectors.joining(", "))));
            output.list(users, User::id, table, "there are no accounts yet");
            return ExitCode.OK;
        }
    }

    /// A command about one account.
    abstract static class OfUser extends RegistryCommand {
        @Parameters(paramLabel = "USER", description = "Id or e-mail address of the account.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String user;

        OfUser(Connection connection) {
            super(connection);
        }
    }

    /// `disable`, `enable` and `remove-totp`.
    @Command
    public static final class Switch extends OfUser {
        private final BiFunction<Users, String, User> change;
        private final Function<User, String> told;

        /// @param told describes the changed account
        public Switch(Connection connection, BiFunction<Users, String, User> change, Function<User, String> told) {
            super(connection);
            this.change = change;
            this.told = told;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var changed = change.apply(client.users(), user);
            output.done(changed, changed.id(), "account " + changed.email() + " is " + told.apply(changed));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "reset-password",
            description = "Prints a token to set a new password with. The old password works until then.")
    public static final class ResetPassword extends OfUser {
        public ResetPassword(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return show(output, client.users().resetPassword(user));
        }
    }
}
