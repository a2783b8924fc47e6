package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Browser;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.SheafClient;
import java.net.URI;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "open",
        description = "Opens the page of a bundle in the browser. Prints its address if there is no browser or no "
                + "terminal. The page of a private bundle asks you to sign in.")
public final class OpenCommand extends BundleCommands.OfBundle {
    @Option(names = "--print", description = "Print only the address.")
    private boolean print;

    public OpenCommand(Connection connection) {
        super(connection);
    }

    /// The JSON of the result.
    record Opened(String url, boolean opened) {}

    @Override
    protected ExitCode run(SheafClient client) {
        var info = client.bundle(bundle).info();
        // Built from the registry's own address and a valid name; no part of it comes from a response.
        URI page = connection.url().at("/" + bundle.namespace() + "/" + bundle.bundle());
        var shell = connection.shell();
        boolean opened = !print
                && shell.terminal()
                && output.format() == Output.Format.HUMAN
                && Browser.open(page, shell.environment());
        output.show(
                new Opened(page.toString(), opened),
                to -> (opened ? to.err() : to.out()).println((opened ? "opened " : "") + page),
                () -> List.of(page));
        if (!info.visibility().equals("public")) {
            output.say("note: " + bundle + " is private; sign in to the console to see its page");
        }
        return ExitCode.OK;
    }
}
