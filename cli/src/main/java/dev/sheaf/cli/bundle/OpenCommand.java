package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Browser;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import java.net.URI;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "open",
        description =
                "Opens the page of a bundle, which is its README, in the browser. Prints its address instead where "
                        + "there is no browser, no terminal, or the bundle is private: a browser has no key.")
public final class OpenCommand extends BundleCommands.OfBundle {
    @Option(names = "--print", description = "Only print the address.")
    private boolean print;

    public OpenCommand(Connection connection) {
        super(connection);
    }

    /// The JSON of it.
    record Opened(String url, boolean opened) {}

    @Override
    protected ExitCode run(SheafClient client) {
        var info = client.bundle(bundle).info();
        if (info.readmeContent() == null) {
            throw new SheafException.NotFound(
                    bundle + " has no README, which is the page of a bundle", SheafException.Answer.NONE);
        }
        // Of the registry that is spoken to, and of a name that keeps the rules: nothing here is the registry's word.
        URI page =
                connection.url().at("/v1/namespaces/" + bundle.namespace() + "/bundles/" + bundle.bundle() + "/readme");
        boolean everybody = info.visibility().equals("public");
        var shell = connection.shell();
        boolean opened = everybody
                && !print
                && shell.terminal()
                && output.format() == Output.Format.HUMAN
                && Browser.open(page, shell.environment());
        output.show(
                new Opened(page.toString(), opened),
                to -> (opened ? to.err() : to.out()).println((opened ? "opened " : "") + page),
                () -> List.of(page));
        if (!everybody) {
            output.say(
                    "note: " + bundle + " is private; a browser shows no key, and is told that there is no such page");
        }
        return ExitCode.OK;
    }
}
