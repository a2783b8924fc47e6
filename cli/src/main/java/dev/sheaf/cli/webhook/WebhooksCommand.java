package dev.sheaf.cli.webhook;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Webhooks;
import dev.sheaf.client.Webhooks.Settings;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.webhook.Webhook;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands about the webhooks of an organization; [WebhookCommands] contains the commands about one
/// webhook, [DeliveryCommands] the commands about deliveries.
@Command(
        name = "webhooks",
        description = "Manages webhooks, which send signed events to a URL. Needs the scope admin.",
        synopsisSubcommandLabel = "COMMAND")
public final class WebhooksCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new WebhooksCommand())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Create(connections.get()))
                .addSubcommand(new WebhookCommands.Show(connections.get()))
                .addSubcommand(new WebhookCommands.Edit(connections.get()))
                .addSubcommand(new WebhookCommands.Delete(connections.get()))
                .addSubcommand(new WebhookCommands.RotateSecret(connections.get()))
                .addSubcommand(new DeliveryCommands.Test(connections.get()))
                .addSubcommand(new DeliveryCommands.ListAll(connections.get()))
                .addSubcommand(new DeliveryCommands.Show(connections.get()))
                .addSubcommand(new DeliveryCommands.Redeliver(connections.get()))
                .addSubcommand(new WebhookCommands.Replay(connections.get()));
    }

    /// A command about the webhooks of one organization.
    abstract static class OfOrganization extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        OfOrganization(Connection connection) {
            super(connection);
        }

        Webhooks webhooks(SheafClient client) {
            return client.webhooks(organization.value());
        }

        /// Prints the secret of a webhook on standard output, the rest on standard error.
        ExitCode secret(String what, Webhook webhook) {
            String secret = webhook.secret();
            if (secret == null) {
                throw new IllegalStateException("the answer has no secret");
            }
            output.secret(webhook, secret, what + "; the secret is not shown again");
            return ExitCode.OK;
        }
    }

    /// A command about one webhook.
    abstract static class OfWebhook extends OfOrganization {
        @Parameters(index = "0", paramLabel = "ID", description = "Id of the webhook, as shown by sheaf webhooks list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        IdOrEnd id;

        /// Returns the full id, which may take a request.
        UUID id(SheafClient client) {
            return id.among("webhook", webhooks(client)::list, Webhook::id);
        }

        OfWebhook(Connection connection) {
            super(connection);
        }
    }

    /// Returns the state in a few words.
    static String state(Webhook webhook) {
        if (webhook.enabled()) {
            return webhook.failingSince() == null ? "enabled" : "failing";
        }
        return switch (String.valueOf(webhook.disabledReason())) {
            case "gone" -> "disabled: answered 410";
            case "failing" -> "disabled: failed for days";
            default -> "disabled";
        };
    }

    @Command(name = "list", aliases = "ls", description = "Lists the webhooks, without their secrets.")
    public static final class ListAll extends OfOrganization {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhooks = webhooks(client).list();
            var table = new Table("ID", "STATE", "TYPES", "URL");
            webhooks.forEach(webhook -> table.row(
                    webhook.id(), state(webhook), Text.cut(String.join(",", webhook.eventTypes()), 40), webhook.url()));
            output.list(
                    webhooks, Webhook::id, table, "there are no webhooks; to create one: sheaf webhooks create --help");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "create",
            description = "Creates a webhook, which sends new events to a URL. Prints the secret that signs them, this "
                    + "once.",
            footer = {
                "",
                "Examples:",
                "  sheaf webhooks create https://hooks.example.org/sheaf --type 'version.*'",
                "  sheaf webhooks create https://ci.example.org/run --header X-Token=t0p"
            })
    public static final class Create extends OfOrganization {
        @Parameters(
                paramLabel = "URL",
                description = "Address to send events to, such as https://hooks.example.org/sheaf.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String url;

        @Mixin
        private final Aim aim = new Aim();

        @Option(names = "--disabled", description = "Send nothing until it is enabled.")
        private boolean disabled;

        @Option(
                names = "--secret-stdin",
                description = "Read an existing secret from standard input: whsec_ and base64.")
        private boolean secretFromInput;

        public Create(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var settings = new Settings(
                    url,
                    aim.description,
                    aim.headers,
                    aim.rate,
                    aim.types,
                    aim.namespaces,
                    aim.bundles,
                    disabled ? false : null);
            var webhook = webhooks(client).create(settings, imported());
            return secret(
                    "created the webhook " + webhook.id() + " to " + webhook.url() + "; to try it: sheaf webhooks test "
                            + webhook.id(),
                    webhook);
        }

        private @Nullable Secret imported() {
            return secretFromInput
                    ? Secret.of(connection.shell().readSecret("secret").orElse(""))
                    : null;
        }
    }
}
