package dev.sheaf.cli;

import dev.sheaf.client.Credentials;
import dev.sheaf.model.Secret;
import dev.sheaf.model.wire.Identity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "login",
        description = "Checks an API key with the registry and keeps it, with the registry's address.",
        footer = {"", "The key goes into the system's keyring, or into a file that only you can read."})
final class LoginCommand implements Callable<Integer> {
    private static final int LONGEST_KEY = 4096;

    @Mixin
    private final Connection connection;

    @Option(names = "--key-stdin", description = "Read the key from standard input instead of asking for it.")
    private boolean fromInput;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    LoginCommand(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Integer call() {
        var shell = connection.shell();
        Secret key = key();
        if (!Credentials.isSendable(key)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "that is no API key: it is empty, or holds spaces or other characters no key has");
        }
        Identity identity;
        try (var client = connection.open(key)) {
            identity = client.whoAmI();
        }
        var stored = connection.credentials().store(key);
        connection.settings().remember(connection.url());
        if (stored.source() == Credentials.Source.FILE) {
            shell.say("note: no keyring took the key, so it is in a file that only you can read");
        }
        shell.say("logged in to " + connection.url() + describe(identity) + "; the key is in " + stored.place());
        LogoutCommand.warnOfVariable(shell);
        return ExitCode.OK.status();
    }

    private static String describe(Identity identity) {
        var organization = identity.organization();
        return " as " + Text.showable(identity.credentialName())
                + (organization == null ? "" : " of " + Text.showable(organization.name()));
    }

    private Secret key() {
        if (fromInput) {
            try {
                byte[] bytes = connection.shell().in().readNBytes(LONGEST_KEY);
                return Secret.of(new String(bytes, StandardCharsets.UTF_8).strip());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        var console = connection.shell().terminal() ? System.console() : null;
        if (console == null) {
            throw new ParameterException(
                    spec.commandLine(), "there is no terminal to ask for the key; pipe it in with --key-stdin");
        }
        char[] typed = console.readPassword("API key for %s: ", connection.url());
        return Secret.of(typed == null ? "" : new String(typed).strip());
    }
}
