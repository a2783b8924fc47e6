package dev.sheaf.cli;

import dev.sheaf.client.Json;
import dev.sheaf.model.wire.Identity;
import dev.sheaf.model.wire.Me;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "whoami", description = "Tells whose key is used and what it may do.")
final class WhoAmICommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Option(names = "--json", description = "Print the registry's answer as JSON.")
    private boolean json;

    WhoAmICommand(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (var client = connection.open()) {
            var me = client.me();
            var out = connection.shell().out();
            if (json) {
                out.println(Json.pretty(me));
            } else {
                show(out, me);
            }
        }
        return ExitCode.OK.status();
    }

    private static void show(PrintStream out, Me me) {
        KeyCommands.line(out, "credential", me.credentialName() + " (" + me.credentialType() + ")");
        KeyCommands.line(out, "id", me.credentialId());
        KeyCommands.line(out, "hint", me.hint());
        var user = me.user();
        KeyCommands.line(out, "user", user == null ? null : user.email());
        var organization = me.organization();
        KeyCommands.line(
                out,
                "organization",
                organization == null ? null : organization.name() + " (" + organization.handle() + ")");
        KeyCommands.line(out, "scopes", String.join(", ", me.scopes()));
        KeyCommands.restrictions(out, me.restrictions());
        KeyCommands.line(
                out,
                "writes to",
                me.namespaces().isEmpty()
                        ? null
                        : String.join(
                                ", ",
                                me.namespaces().stream()
                                        .map(Identity.Writable::handle)
                                        .toList()));
        KeyCommands.line(out, "expires", me.expiresAt() == null ? "never" : me.expiresAt());
    }
}
