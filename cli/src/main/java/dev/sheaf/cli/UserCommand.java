package dev.sheaf.cli;

import dev.sheaf.client.Json;
import dev.sheaf.client.Users;
import dev.sheaf.model.wire.User;
import dev.sheaf.model.wire.UserRequest;
import dev.sheaf.model.wire.UserTicket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(
        name = "user",
        description = {
            "Looks after people's accounts. No account begins with a password that anybody knows.",
            "With --local, create, reset-password and remove-totp work on the storage itself, without a server."
        },
        synopsisSubcommandLabel = "COMMAND")
final class UserCommand {
    private static final int LONGEST_PASSWORD = 4_000;

    private static void show(Connection connection, UserTicket made, boolean json) {
        var out = connection.shell().out();
        if (json) {
            out.println(Json.pretty(made));
            return;
        }
        var token = made.passwordToken();
        connection
                .shell()
                .say("account " + Text.showable(made.user().email()) + " ("
                        + made.user().id() + ")");
        if (token != null) {
            connection
                    .shell()
                    .say("hand this token to its owner, who sets a password with it (POST /v1/users:setPassword); it"
                            + " works once, until " + made.passwordTokenExpiresAt());
            out.println(token);
        }
    }

    @Command(name = "create", description = "Makes an account, and prints a token to set its password with.")
    static final class Create implements Callable<Integer> {
        @Mixin
        private final Connection connection;

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

        @Option(names = "--role", paramLabel = "ROLE", description = "There: owner, admin, publisher or reader.")
        private @Nullable String role;

        @Option(names = "--password-stdin", description = "Read a password from standard input instead.")
        private boolean passwordFromInput;

        @Option(names = "--json", description = "Print the account as JSON.")
        private boolean json;

        Create(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            var request = new UserRequest(email, name, passwordFromInput ? password() : null, organization, role);
            try (var client = connection.open()) {
                show(connection, client.users().create(request), json);
            }
            return ExitCode.OK.status();
        }

        private String password() {
            try {
                byte[] bytes = connection.shell().in().readNBytes(LONGEST_PASSWORD);
                return new String(bytes, StandardCharsets.UTF_8).replaceFirst("\\R$", "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Command(name = "list", description = "Lists the hundred latest accounts, the newest first.")
    static final class ListAll implements Callable<Integer> {
        private static final String ROW = "%-36s  %-8s  %-40s  %s%n";

        @Mixin
        private final Connection connection;

        @Option(names = "--json", description = "Print the accounts as JSON.")
        private boolean json;

        ListAll(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var users = client.users().latest();
                var out = connection.shell().out();
                if (json) {
                    out.println(Json.pretty(users));
                } else {
                    out.printf(ROW, "ID", "STATE", "E-MAIL", "ORGANIZATIONS");
                    users.forEach(user -> out.printf(
                            ROW,
                            user.id(),
                            Text.showable(user.state()),
                            Text.showable(user.email()),
                            Text.showable(String.join(
                                    ", ",
                                    user.organizations().stream()
                                            .map(place -> place.handle() + " (" + place.role() + ")")
                                            .toList()))));
                }
            }
            return ExitCode.OK.status();
        }
    }

    /// `disable`, `enable` and `remove-totp`.
    @Command
    static final class Switch implements Callable<Integer> {
        private final BiFunction<Users, String, User> change;
        private final Function<User, String> told;

        @Mixin
        private final Connection connection;

        @Parameters(paramLabel = "USER", description = "Id or e-mail address of the account.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String user;

        /// @param told what the account is afterwards
        Switch(Connection connection, BiFunction<Users, String, User> change, Function<User, String> told) {
            this.connection = connection;
            this.change = change;
            this.told = told;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var changed = change.apply(client.users(), user);
                connection
                        .shell()
                        .say("account " + Text.showable(changed.email()) + " is " + Text.showable(told.apply(changed)));
            }
            return ExitCode.OK.status();
        }
    }

    @Command(
            name = "reset-password",
            description = "Prints a token to set a new password with; the old one works until then.")
    static final class ResetPassword implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Parameters(paramLabel = "USER", description = "Id or e-mail address of the account.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String user;

        @Option(names = "--json", description = "Print the account as JSON.")
        private boolean json;

        ResetPassword(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                show(connection, client.users().resetPassword(user), json);
            }
            return ExitCode.OK.status();
        }
    }
}
