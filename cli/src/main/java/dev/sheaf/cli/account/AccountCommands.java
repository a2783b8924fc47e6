package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Account;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.model.wire.account.User;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf account`: a person's own account, its sessions and its second factor.
public final class AccountCommands {
    /// The JSON of a new password.
    private record PasswordSet(boolean passwordSet) {}

    /// The JSON of a removed second factor.
    private record TotpRemoved(boolean totpEnabled) {}

    private AccountCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "account",
                        "Manages your own account: password, sessions, second factor. Sign in first: sheaf login.")
                .add(AccountCommands::show)
                .add(AccountCommands::password)
                .add(new CommandGroup(connections, "sessions", "Lists and ends your sessions.")
                        .add(AccountCommands::sessions)
                        .add(AccountCommands::endSession))
                .add(new CommandGroup(connections, "totp", "Manages the second factor: codes of an authenticator.")
                        .add(AccountCommands::beginTotp)
                        .add(AccountCommands::confirmTotp)
                        .add(AccountCommands::renewCodes)
                        .add(AccountCommands::removeTotp));
    }

    private static ResourceCommand<Account> account(Connection connection, String name, String description) {
        return ResourceCommand.of(connection, SheafClient::account, name, description);
    }

    private static CliCommand show(Connection connection) {
        return account(connection, "show", "Shows who you are, and what you may do in which organization.")
                .show(
                        Account::show,
                        User::email,
                        me -> new Summary()
                                .line("address", me.email())
                                .line("name", me.fullName())
                                .line("id", me.id())
                                .line("codes", me.totpEnabled() ? "asked for" : "not asked for")
                                .line(
                                        "member of",
                                        me.organizations().stream()
                                                .map(place -> place.handle() + " (" + place.role() + ")")
                                                .toList()));
    }

    private static CliCommand password(Connection connection) {
        var command = account(
                        connection,
                        "password",
                        "Changes your password. With --token, sets the first password; an administrator hands out "
                                + "that token.")
                .footer(
                        "",
                        "On a terminal it asks for both. Elsewhere, standard input has two lines: your current password "
                                + "or the token, and then the new password, of at least 12 characters.");
        var token = command.flag("--token", "Set the password with a token (shp_…); it is read from the input.");
        return command.anonymousWith(token)
                .change(
                        account -> {
                            var proof = command.readSecret(token.isGiven() ? "token" : "current password");
                            var fresh = command.readSecret("new password");
                            command.refuse(
                                    connection.shell().terminal()
                                            && !fresh.equals(command.readSecret("new password once more")),
                                    "the two new passwords differ; nothing was changed");
                            if (token.isGiven()) {
                                account.setPassword(proof, fresh);
                            } else {
                                account.changePassword(proof, fresh);
                            }
                            return new PasswordSet(true);
                        },
                        _ -> "set",
                        _ -> token.isGiven()
                                ? "the password is set; sign in: sheaf login --url " + connection.url()
                                : "the password is changed; your other sessions have ended");
    }

    private static CliCommand sessions(Connection connection) {
        return account(connection, "list", "Lists your sessions, the newest first.")
                .alias("ls")
                .list(
                        Account::sessions,
                        SessionView::id,
                        new Table<SessionView>()
                                .column("ID", SessionView::id)
                                .column("BY", SessionView::method)
                                .column("DEVICE", session -> session.device().isEmpty() ? "-" : session.device())
                                .column("ADDRESS", SessionView::address)
                                .column("LAST USED", SessionView::lastUsedAt)
                                .column("NOTE", session -> session.current() ? "this one" : ""),
                        "there are no sessions");
    }

    private static CliCommand endSession(Connection connection) {
        var command = account(connection, "end", "Ends one of your sessions.");
        var id = command.argument(IdOrEnd.class, "ID", "Id of the session, as shown by sheaf account sessions list.");
        return command.confirm(() -> "end the session " + id + command.at())
                .remove(
                        account -> id.get().among("session", account::sessions, SessionView::id),
                        Account::endSession,
                        gone -> "ended the session " + gone);
    }

    /// Reads the password; null for an empty line, if the account has none.
    private static @Nullable Secret readPassword(Connection connection) {
        return connection
                .shell()
                .readSecret("your password (empty: you have none)")
                .map(Secret::of)
                .orElse(null);
    }

    private static Secret readCode(ResourceCommand<?> command) {
        return Secret.of(command.connection
                .shell()
                .readSecret("code of the authenticator")
                .orElseThrow(() -> command.misuse("there is no code on standard input"))
                .strip());
    }

    private static CliCommand beginTotp(Connection connection) {
        var command = account(
                        connection,
                        "begin",
                        "Prints the secret for an authenticator, once. Codes are asked for only after totp confirm.")
                .footer("", "Reads your password from standard input, or an empty line if you have none.");
        return command.run(account -> {
            var made = account.beginTotp(readPassword(connection));
            command.output.show(
                    made,
                    shell -> {
                        shell.say("type this secret into an authenticator, or open the address with it; then: sheaf"
                                + " account totp confirm" + connection.typed());
                        shell.out().println(made.secret());
                        shell.out().println(made.uri());
                    },
                    () -> List.of(made.secret()));
        });
    }

    private static CliCommand confirmTotp(Connection connection) {
        var command = account(connection, "confirm", "Starts asking for codes, and prints recovery codes, once.")
                .footer("", "Reads a code of the authenticator from standard input.");
        return codes(
                command,
                account -> account.confirmTotp(readCode(command)),
                "from now on, signing in needs a code of your authenticator");
    }

    private static CliCommand renewCodes(Connection connection) {
        var command = account(connection, "codes", "Prints new recovery codes, once. The old ones stop working.")
                .footer("", "Reads your password and then a code of the authenticator from standard input.");
        return codes(
                command,
                account -> {
                    var password = readPassword(connection);
                    return account.renewRecoveryCodes(password, readCode(command));
                },
                "the old codes no longer work");
    }

    /// Prints the codes, one on each line.
    private static CliCommand codes(
            ResourceCommand<Account> command, Function<Account, RecoveryCodes> make, String sentence) {
        return command.run(account -> {
            var codes = make.apply(account);
            command.output.show(
                    codes,
                    shell -> {
                        shell.say(sentence
                                + "; each of these recovery codes works once in place of a code. Keep them safe: they are"
                                + " not shown again");
                        codes.recoveryCodes().forEach(shell.out()::println);
                    },
                    codes::recoveryCodes);
        });
    }

    private static CliCommand removeTotp(Connection connection) {
        var command = account(connection, "remove", "Stops asking for codes.")
                .alias("rm")
                .footer("", "Reads your password and then a code of the authenticator from standard input.");
        return command.change(
                account -> {
                    var password = readPassword(connection);
                    account.removeTotp(password, readCode(command));
                    return new TotpRemoved(false);
                },
                _ -> "removed",
                _ -> "signing in no longer needs a code");
    }
}
