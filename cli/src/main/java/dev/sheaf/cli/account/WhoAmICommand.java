package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.key.Identity;
import org.jspecify.annotations.Nullable;

/// The command `sheaf whoami`.
public final class WhoAmICommand {
    private WhoAmICommand() {}

    public static CliCommand of(Connection connection) {
        return ResourceCommand.of(connection, "whoami", "Shows the key or session in use, and its rights.")
                .show(SheafClient::me, Me::credentialName, me -> summary(me, connection));
    }

    private static Summary summary(Me me, Connection connection) {
        var user = me.user();
        var organization = me.organization();
        var summary = new Summary()
                .line("registry", connection.url())
                .line(
                        "credential",
                        me.credentialName() + " (" + me.credentialType().replace('_', ' ') + ")")
                .line("id", me.credentialId())
                .line("hint", me.hint())
                .line("user", user == null ? null : user.email())
                .line(
                        "organization",
                        organization == null ? null : organization.name() + " (" + organization.handle() + ")")
                .line("scopes", me.scopes());
        return KeyCommands.restrictions(summary, me.restrictions())
                .line(
                        "writes to",
                        me.namespaces().stream().map(Identity.Writable::handle).toList())
                .line("expires", expires(me));
    }

    /// The access token of a session is valid for minutes and renewed automatically, so its end is not shown.
    private static @Nullable Object expires(Me me) {
        if (me.credentialType().equals("session")) {
            return null;
        }
        return me.expiresAt() == null ? "never" : me.expiresAt();
    }
}
