package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.Credentials;

/// The command `sheaf logout`.
public final class LogoutCommand extends CliCommand {
    private final Connection connection;
    private final Output output;

    public LogoutCommand(Connection connection) {
        super(
                "logout",
                "Ends and forgets the session. A stored key is forgotten too, but stays valid: see keys revoke.");
        this.connection = use(connection);
        this.output = use(connection.output());
        setWork(this::logout);
    }

    /// The JSON of a logout.
    ///
    /// @param key whether an API key was forgotten; it stays valid
    /// @param session whether a session was ended
    record Shown(String registry, boolean key, boolean session) {}

    private ExitCode logout() {
        var shell = connection.shell();
        var credentials = connection.credentials();
        boolean key = !credentials.forget().isEmpty();
        boolean session;
        try {
            session = credentials.endSession();
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            shell.say("note: the session is forgotten here, but the registry did not end it");
            throw e;
        }
        output.done(
                new Shown(connection.url().toString(), key, session),
                connection.url(),
                (key || session ? "logged out of " : "nothing was stored for ") + connection.url());
        warnOfVariable(connection);
        return ExitCode.OK;
    }

    static void warnOfVariable(Connection connection) {
        if (connection.hasVariable()) {
            connection
                    .shell()
                    .say("note: " + Credentials.VARIABLE + " is set and overrides every stored key and session");
        }
    }
}
