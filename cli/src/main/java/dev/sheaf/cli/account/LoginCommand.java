package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.credentials.DeviceLogin;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.key.Identity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The command `sheaf login`.
public final class LoginCommand extends CliCommand {
    private final Connection connection;
    private final Output output;
    private final FlagOption key = FlagOption.of("--key-stdin", "Read an API key from standard input.");
    private final FlagOption device =
            FlagOption.of("--device", "Sign in with a browser, even if there is no terminal.");
    private final OptionalValue<Scope> scope = option(
            Scope.class,
            "--scope",
            "SCOPE",
            "The scope of a sign-in with a browser: read, write (the default) or admin.");

    public LoginCommand(Connection connection) {
        super(
                "login",
                "Signs in with a browser, or with an API key. Stores the result and the address of the registry.");
        setFooter(
                "",
                "On a terminal it shows an address and a code: open the address with any browser and sign in there.",
                "The result is stored in the system's keyring, or in a file that only you can read.",
                "With a sign-in you cannot manage keys, members, webhooks and policies, nor recall versions, whatever its"
                        + " scope: use an API key with the scope admin, or the console.");
        addOneOf(key, device);
        this.connection = use(connection);
        this.output = use(connection.output());
        setWork(this::login);
    }

    /// The JSON of a login.
    ///
    /// @param kind `session` or `key`
    /// @param place describes the place where the credential is stored
    record Shown(
            String registry,
            String credential,
            @Nullable String organization,
            String kind,
            String source,
            String place) {}

    private ExitCode login() {
        if (key.isGiven()) {
            withKey(keyFromInput());
        } else if (device.isGiven() || connection.shell().terminal()) {
            withBrowser();
        } else {
            throw misuse(
                    "there is no terminal; pipe an API key in with --key-stdin, or sign in with a browser: --device");
        }
        connection.settings().remember(connection.url());
        LogoutCommand.warnOfVariable(connection);
        return ExitCode.OK;
    }

    private void withBrowser() {
        try (var login = DeviceLogin.at(connection.url(), connection.network())) {
            var waiting = login.begin(scope.or(Scope.WRITE));
            if (waiting.isEmpty()) {
                withKey(keyFromConsole());
                return;
            }
            show(waiting.get());
            var session = login.await(waiting.get());
            var identity = check(session::access);
            end();
            var stored = connection.credentials().store(session);
            report("session", stored, identity);
        }
    }

    /// Prints to standard error. Opens no browser, because it may be on another machine.
    private void show(DeviceLogin.Waiting waiting) {
        var shell = connection.shell();
        shell.say("open     " + TextFormat.showable(waiting.placeWithCode()));
        shell.say("or open  " + TextFormat.showable(waiting.place()) + " and type "
                + TextFormat.showable(waiting.userCode()));
        shell.say("Allow it only if the page shows this code. Waiting for up to "
                + waiting.lifetime().toMinutes() + " minutes ...");
    }

    private void withKey(Secret key) {
        if (!Credentials.isSendable(key)) {
            throw misuse(
                    "this is not an API key: it is empty, or contains spaces or other characters that a key cannot contain");
        }
        var identity = check(() -> key);
        end();
        report("key", connection.credentials().store(key), identity);
    }

    private Identity check(Bearer bearer) {
        try (var client = connection.open(bearer)) {
            return client.whoAmI();
        }
    }

    /// Ends the previous session. If the registry cannot be reached, the login continues anyway.
    private void end() {
        try {
            connection.credentials().endSession();
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            connection.shell().say("note: the previous session is forgotten here, but the registry did not end it");
        }
    }

    private void report(String kind, Credentials.Found stored, Identity identity) {
        if (stored.source() == Credentials.Source.FILE) {
            output.say("note: no keyring could store the " + kind + ", so it is in a file that only you can read");
        }
        var organization = identity.organization();
        var shown = new Shown(
                connection.url().toString(),
                identity.credentialName(),
                organization == null ? null : organization.name(),
                kind,
                stored.source().name().toLowerCase(Locale.ROOT),
                stored.place());
        output.done(
                shown,
                identity.credentialName(),
                "logged in to " + connection.url() + " as " + identity.credentialName()
                        + (organization == null ? "" : " of " + organization.name()) + "; the " + kind + " is in "
                        + stored.place());
    }

    private Secret keyFromInput() {
        return Secret.of(connection.shell().readSecret("API key").orElse("").strip());
    }

    /// Reads an API key, for a registry without sign-in in a browser.
    private Secret keyFromConsole() {
        if (!connection.shell().terminal() || System.console() == null) {
            throw misuse(connection.url() + " has no sign-in with a browser; pipe an API key in with --key-stdin");
        }
        return keyFromInput();
    }
}
