package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The command `sheaf git-credential`.
public final class GitCredentialCommand extends CliCommand {
    private static final int MOST = 64 << 10; // bytes of a request from git

    private final Connection connection;
    private final RequiredValue<String> operation = argument(
            "OPERATION",
            "The operation: get. git also calls store and erase, which change nothing here: see login and logout.");

    public GitCredentialCommand(Connection connection) {
        super("git-credential", "Gives git the stored key of a registry. See gitcredentials(7).");
        setFooter(
                "",
                "Once for each registry:",
                "",
                "  git config --global credential.https://HOST.helper '!sheaf git-credential'",
                "",
                "git then clones private bundles: git clone https://HOST/NAMESPACE/BUNDLE.git");
        this.connection = use(connection);
        setWork(this::answer);
    }

    private ExitCode answer() {
        if (operation.get().equals("get")) {
            var asked = readRequest();
            registry(asked).flatMap(this::kept).ifPresent(bearer -> {
                var out = connection.shell().out();
                out.print("username=sheaf\npassword=" + bearer.token().expose() + "\n");
                out.flush();
            });
        }
        return ExitCode.OK;
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
        var credentials = connection.credentialsOf(registry);
        return credentials.find().<Bearer>map(found -> found::key).or(credentials::session);
    }
}
