package dev.sheaf.cli.install;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.Installation;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The place where things are installed.
public final class Project {
    private static final String FILE = "sheaf-install.json";

    private final OptionalValue<Path> folder;
    private final FlagOption user;

    Project(CliCommand command) {
        folder = command.option(
                Path.class,
                "--project",
                "DIR",
                "The folder of the project. Default: the nearest one above with a " + FILE
                        + ", within the git repository; else the working directory.");
        user = command.flag("--user", "Install for all projects of this user, in the home directory.");
    }

    InstallLevel level() {
        return user.isGiven() ? InstallLevel.USER : InstallLevel.PROJECT;
    }

    /// Returns the options that name the place, as the end of a command.
    String words() {
        Path named = folder.get();
        return user.isGiven() ? " --user" : named == null ? "" : " --project " + ShellWord.of(named.toString());
    }

    Path root(Connection connection) {
        if (user.isGiven() && folder.isGiven()) {
            throw Problem.invalid("format", "--user and --project exclude each other; leave one out");
        }
        if (user.isGiven()) {
            return connection.shell().home();
        }
        Path named = folder.get();
        if (named == null) {
            return nearest(Path.of("").toAbsolutePath(), connection.shell().home());
        }
        if (!Files.isDirectory(named)) {
            throw Problem.invalid("format", named + " is not a folder");
        }
        return named;
    }

    /// Returns the nearest folder with an installation. Does not look above a repository, where other users may
    /// own the files, as in /tmp. It does not look above the home directory either: a repository of home
    /// directories is not a project.
    static Path nearest(Path here, Path home) {
        @Nullable Path found = null;
        for (Path at = here; at != null; at = at.getParent()) {
            if (found == null && Files.exists(at.resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
                found = at;
            }
            if (Files.exists(at.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                return found == null ? here : found;
            }
            if (isSame(at, home)) {
                return here;
            }
        }
        return here;
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    /// An open installation. Each registry gets the credential that is stored for it.
    static final class Open implements AutoCloseable {
        private final Connection connection;
        private final Map<RegistryUrl, SheafClient> clients = new HashMap<>();
        private final Installation installation;

        Open(Project project, Connection connection, Output output) {
            this.connection = connection;
            this.installation = new Installation(
                    project.root(connection),
                    project.level(),
                    connection.shell().home(),
                    this::client,
                    new TransferDisplay(connection.shell(), output));
        }

        private SheafClient client(RegistryUrl registry) {
            return clients.computeIfAbsent(registry, connection::openAt);
        }

        Installation installation() {
            return installation;
        }

        @Override
        public void close() {
            clients.values().forEach(SheafClient::close);
        }
    }
}
