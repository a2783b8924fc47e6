package dev.sheaf.cli.webhook;

import dev.sheaf.cli.command.ActorNames;
import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.EnabledOption;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.command.ValueParsers;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Webhooks;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf webhooks`: the webhooks of an organization; [DeliveryCommands] has those about deliveries.
public final class WebhookCommands {
    /// The calls of a command that also names the actors.
    private record Calls(SheafClient client, @Nullable String organization) {}

    private WebhookCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "webhooks",
                        "Manages webhooks, which send signed events to a URL. Needs the scope admin.")
                .add(WebhookCommands::list)
                .add(WebhookCommands::create)
                .add(WebhookCommands::show)
                .add(WebhookCommands::edit)
                .add(WebhookCommands::delete)
                .add(WebhookCommands::rotateSecret)
                .add(DeliveryCommands::test)
                .add(DeliveryCommands::list)
                .add(DeliveryCommands::show)
                .add(DeliveryCommands::redeliver)
                .add(WebhookCommands::replay);
    }

    static ResourceCommand<Webhooks> webhooks(Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, SheafClient::webhooks, name, description);
    }

    static RequiredValue<IdOrEnd> webhook(CliCommand command) {
        return command.argument(IdOrEnd.class, "ID", "Id of the webhook, as shown by sheaf webhooks list.");
    }

    /// Returns the full id, which may take a request.
    static UUID id(RequiredValue<IdOrEnd> typed, Webhooks webhooks) {
        return typed.get().among("webhook", webhooks::list, Webhook::id);
    }

    /// Returns the state in a few words.
    private static String state(Webhook webhook) {
        if (webhook.enabled()) {
            return webhook.failingSince() == null ? "enabled" : "failing";
        }
        return switch (String.valueOf(webhook.disabledReason())) {
            case "gone" -> "disabled: answered 410";
            case "failing" -> "disabled: failed for days";
            default -> "disabled";
        };
    }

    private static CliCommand list(Connection connection) {
        return webhooks(connection, "list", "Lists the webhooks, without their secrets.")
                .alias("ls")
                .list(
                        Webhooks::list,
                        Webhook::id,
                        new Table<Webhook>()
                                .column("ID", Webhook::id)
                                .column("STATE", WebhookCommands::state)
                                .column("TYPES", webhook -> TextFormat.cut(String.join(",", webhook.eventTypes()), 40))
                                .column("URL", Webhook::url),
                        "there are no webhooks; to create one: sheaf webhooks create --help");
    }

    private static CliCommand create(Connection connection) {
        var command = webhooks(
                        connection,
                        "create",
                        "Creates a webhook, which sends new events to a URL. Prints the secret that signs them, this "
                                + "once.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf webhooks create https://hooks.example.org/sheaf --type 'version.*'",
                        "  sheaf webhooks create https://ci.example.org/run --header X-Token=t0p");
        var url = command.argument("URL", "Address to send events to, such as https://hooks.example.org/sheaf.");
        var options = WebhookOptions.of(command);
        var disabled = command.flag("--disabled", "Send nothing until it is enabled.");
        var secretFromInput =
                command.flag("--secret-stdin", "Read an existing secret from standard input: whsec_ and base64.");
        return command.secret(
                webhooks -> webhooks.create(
                        new Webhooks.Settings(
                                url.get(),
                                options.description().get(),
                                options.headers().get(),
                                options.rate().get(),
                                options.types().orNull(),
                                options.namespaces().orNull(),
                                options.bundles().orNull(),
                                disabled.isGiven() ? false : null),
                        secretFromInput.isGiven()
                                ? Secret.of(
                                        connection.shell().readSecret("secret").orElse(""))
                                : null),
                Webhook::secret,
                made -> "created the webhook " + made.id() + " to " + made.url() + "; to try it: sheaf webhooks test "
                        + made.id() + "; the secret is not shown again");
    }

    private static CliCommand show(Connection connection) {
        var command = ResourceCommand.ofOrganization(
                connection, Calls::new, "show", "Shows everything about a webhook except its secret.");
        var id = webhook(command);
        return command.run(calls -> {
            var webhooks = calls.client().webhooks(calls.organization());
            var webhook = webhooks.get(id(id, webhooks));
            boolean named = command.output.format() == Output.Format.HUMAN;
            String by = named ? new ActorNames(calls.client()).name(webhook.createdBy()) : webhook.createdBy();
            command.output.one(webhook, webhook.id(), summary(webhook, by));
        });
    }

    private static Summary summary(Webhook webhook, @Nullable String by) {
        return new Summary()
                .line("id", webhook.id())
                .line("url", webhook.url())
                .line("description", webhook.description())
                .line("state", state(webhook))
                .line("disabled", webhook.disabledAt())
                .line("failing since", webhook.failingSince())
                .line("types", webhook.eventTypes())
                .line("namespaces", webhook.namespaces())
                .line("bundles", webhook.bundles())
                .line("headers", webhook.headerNames())
                .line("rate", webhook.rateLimit() == null ? null : webhook.rateLimit() + " a second")
                .line("replay", webhook.replay() == null ? null : replay(webhook.replay()))
                .line(
                        "old secret",
                        webhook.oldSecretUntil() == null
                                ? null
                                : "signs, too, until " + TextFormat.time(webhook.oldSecretUntil()))
                .line("created", TextFormat.time(webhook.createdAt()) + " by " + by)
                .line("updated", webhook.updatedAt());
    }

    private static String replay(Webhook.Replay replay) {
        return "after " + replay.after() + ", up to " + replay.until();
    }

    private static CliCommand edit(Connection connection) {
        var command = webhooks(connection, "edit", "Changes a webhook. Settings that you do not name stay.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf webhooks edit ID --type 'version.*' --type tag.moved",
                        "  sheaf webhooks edit ID --enable");
        var id = webhook(command);
        var to = command.option("--to", "URL", "The address to send events to.");
        var options = WebhookOptions.of(command);
        var noHeaders = command.flag("--no-headers", "Remove your own headers.");
        var anyBundle = command.flag("--any-bundle", "Send the events of all bundles, and events without a bundle.");
        var enabled = EnabledOption.of(
                command,
                "Send new events; webhooks replay sends earlier ones.",
                "Send nothing; failed deliveries are not tried again.");
        return command.check(() -> {
                    enabled.check();
                    command.refuse(
                            noHeaders.isGiven() && options.headers().isGiven(),
                            "give --header or --no-headers, not both");
                    command.refuse(
                            anyBundle.isGiven()
                                    && (options.bundles().isGiven()
                                            || options.namespaces().isGiven()),
                            "--any-bundle cannot be combined with --bundle or --namespace");
                    command.refuse(
                            !(to.isGiven()
                                    || options.isGiven()
                                    || noHeaders.isGiven()
                                    || anyBundle.isGiven()
                                    || enabled.get() != null),
                            "say what to change: --to URL, for example");
                })
                .change(
                        webhooks -> webhooks.edit(
                                id(id, webhooks),
                                new Webhooks.Settings(
                                        to.get(),
                                        options.description().get(),
                                        noHeaders.isGiven()
                                                ? Map.of()
                                                : options.headers().get(),
                                        options.rate().get(),
                                        options.types().orNull(),
                                        anyBundle.isGiven()
                                                ? List.of()
                                                : options.namespaces().orNull(),
                                        anyBundle.isGiven()
                                                ? List.of()
                                                : options.bundles().orNull(),
                                        enabled.get())),
                        Webhook::id,
                        changed -> "changed the webhook " + changed.id() + " (" + state(changed) + ")");
    }

    private static CliCommand delete(Connection connection) {
        var command = webhooks(connection, "delete", "Deletes a webhook with the history of its deliveries.")
                .alias("rm");
        var id = webhook(command);
        return command.confirm(() -> "delete the webhook " + id + command.at())
                .remove(webhooks -> id(id, webhooks), Webhooks::delete, gone -> "deleted the webhook " + gone);
    }

    private static CliCommand rotateSecret(Connection connection) {
        var command = webhooks(
                connection,
                "rotate-secret",
                "Gives a webhook a new secret and prints it, once. The old one also signs for a while.");
        var id = webhook(command);
        var overlap = command.option(
                "--overlap", "PERIOD", "How long the old secret still signs: 0m to 30d. Default: a day.");
        return command.secret(
                webhooks -> webhooks.rotateSecret(id(id, webhooks), ValueParsers.isoPeriod("--overlap", overlap.get())),
                Webhook::secret,
                webhook -> "the webhook " + webhook.id() + " has a new secret; "
                        + (webhook.oldSecretUntil() == null
                                ? "the old one no longer signs"
                                : "the old one also signs until " + TextFormat.time(webhook.oldSecretUntil()))
                        + "; the secret is not shown again");
    }

    private static CliCommand replay(Connection connection) {
        var command = webhooks(
                        connection, "replay", "Sends the events of a period again, as far back as they are kept.")
                .footer("", "Example:", "  sheaf webhooks replay ID --after 2026-01-15T00:00:00Z");
        var id = webhook(command);
        var after = command.requiredOption(
                "--after",
                "PLACE",
                "Events after this: a time such as 2026-01-15T00:00:00Z, an age such as 1h, or the sequence of an "
                        + "event.");
        var before =
                command.option("--before", "PLACE", "Events up to this: a time, an age or a sequence. Default: now.");
        return command.change(
                webhooks -> webhooks.replay(
                        id(id, webhooks), ValueParsers.place(after.get()), ValueParsers.placeOrNull(before.get())),
                Webhook::id,
                webhook -> webhook.replay() == null
                        ? "no kept event is in that period"
                        : "sending the events again; to see the progress: sheaf webhooks show " + webhook.id());
    }
}
