package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "git-credential",
        description = "Gives git the stored key of a registry. See gitcredentials(7).",
        footer = {
            "",
            "Once for each registry:",
            "",
            "  git config --global credential.https://HOST.helper '!sheaf git-credential'",
            "",
            "git then clones private bundles: git clone https://HOST/NAMESPACE/BUNDLE.git"
        })
public final class GitCredentialCommand implements Callable<Integer> {
    private static final int MOST = 64 << 10; // bytes of a request from git

    @Mixin
    private final Connection connection;

    @Parameters(
            paramLabel = "OPERATION",
            description = "The operation: get. git also calls store and erase, which change nothing here: see login"
                    + " and logout.")
    private @Nullable String operation;

    public GitCredentialCommand(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Integer call() {
        if ("get".equals(operation)) {
            var asked = readRequest();
            registry(asked).flatMap(this::kept).ifPresent(bearer -> {
                var out = connection.shell().out();
                out.print("username=sheaf\npassword=" + bearer.token().expose() + "\n");
                out.flush();
            });
        }
        return ExitCode.OK.status();
    }

    /// Reads the lines `name=value` up to an empty one (git-credential(1), "INPUT/OUTPUT FORMAT").
    private Map<String, String> readRequest() {
        var asked = new HashMap<String, String>();
        try {
            byte[] bytes = connection.shell().in().readNBytes(MOST);
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
                int sign = line.indexOf('=');
                if (line.isEmpty()) {
                    break;
                }
                if (sign > 0) {
                    asked.put(line.substring(0, sign), line.substring(sign + 1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return asked;
    }

    private static Optional<RegistryUrl> registry(Map<String, String> asked) {
        String protocol = asked.getOrDefault("protocol", "");
        String host = asked.getOrDefault("host", "");
        try {
            return Optional.of(RegistryUrl.parse(protocol + "://" + host));
        } catch (ProblemException e) {
            return Optional.empty(); // other protocols, such as ssh, are not handled
        }
    }

    /// Returns the stored credential of the registry that git names. The variable SHEAF_API_KEY is only for the
    /// configured registry, because git asks for any address.
    ///
    /// @throws SheafException if it cannot be read
    private Optional<Bearer> kept(RegistryUrl registry) {
        var shell = connection.shell();
        var environment = new HashMap<>(shell.environment());
        if (!registry.equals(connection.url())) {
            environment.remove(Credentials.VARIABLE);
        }
        var credentials =
                new Credentials(registry, environment, shell.keychain(), shell.directories(), connection.network());
        return credentials.find().<Bearer>map(found -> found::key).or(credentials::session);
    }
}
