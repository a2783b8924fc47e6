package dev.sheaf.cli.webhook;

import dev.sheaf.cli.command.Actors;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.command.Words;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Webhooks.Settings;
import dev.sheaf.model.wire.webhook.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The commands of `sheaf webhooks` about one webhook.
public final class WebhookCommands {
    private WebhookCommands() {}

    @Command(name = "show", description = "Shows everything about a webhook except its secret.")
    public static final class Show extends WebhooksCommand.OfWebhook {
        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhook = webhooks(client).get(id(client));
            boolean named = output.format() == Output.Format.HUMAN;
            String by = named ? new Actors(client).name(webhook.createdBy()) : webhook.createdBy();
            output.one(webhook, webhook.id(), summary(webhook, by));
            return ExitCode.OK;
        }

        private static Summary summary(Webhook webhook, @Nullable String by) {
            return new Summary()
                    .line("id", webhook.id())
                    .line("url", webhook.url())
                    .line("description", webhook.description())
                    .line("state", WebhooksCommand.state(webhook))
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
                                    : "signs, too, until " + Text.time(webhook.oldSecretUntil()))
                    .line("created", Text.time(webhook.createdAt()) + " by " + by)
                    .line("updated", webhook.updatedAt());
        }

        private static String replay(Webhook.Replay replay) {
            return "after " + replay.after() + ", up to " + replay.until();
        }
    }

    @Command(
            name = "edit",
            description = "Changes a webhook. Settings that you do not name stay.",
            footer = {
                "",
                "Examples:",
                "  sheaf webhooks edit ID --type 'version.*' --type tag.moved",
                "  sheaf webhooks edit ID --enable"
            })
    public static final class Edit extends WebhooksCommand.OfWebhook {
        @Option(names = "--to", paramLabel = "URL", description = "The address to send events to.")
        private @Nullable String to;

        @Mixin
        private final Aim aim = new Aim();

        @Option(names = "--no-headers", description = "Remove your own headers.")
        private boolean noHeaders;

        @Option(names = "--any-bundle", description = "Send the events of all bundles, and events without a bundle.")
        private boolean anyBundle;

        @Option(names = "--enable", description = "Send new events; webhooks replay sends earlier ones.")
        private boolean enable;

        @Option(names = "--disable", description = "Send nothing; failed deliveries are not tried again.")
        private boolean disable;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Edit(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            refuse(enable && disable, "give --enable or --disable, not both");
            refuse(noHeaders && aim.headers != null, "give --header or --no-headers, not both");
            refuse(
                    anyBundle && (aim.bundles != null || aim.namespaces != null),
                    "--any-bundle cannot be combined with --bundle or --namespace");
            boolean changes =
                    Stream.of(to, aim.types, aim.namespaces, aim.bundles, aim.headers, aim.rate, aim.description)
                                    .anyMatch(Objects::nonNull)
                            || noHeaders
                            || anyBundle
                            || enable
                            || disable;
            refuse(!changes, "say what to change: --to URL, for example");
            return true;
        }

        private void refuse(boolean wrong, String why) {
            if (wrong) {
                throw new ParameterException(spec.commandLine(), why);
            }
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhook = webhooks(client)
                    .edit(
                            id(client),
                            new Settings(
                                    to,
                                    aim.description,
                                    noHeaders ? Map.of() : aim.headers,
                                    aim.rate,
                                    aim.types,
                                    anyBundle ? List.of() : aim.namespaces,
                                    anyBundle ? List.of() : aim.bundles,
                                    enable ? Boolean.TRUE : disable ? Boolean.FALSE : null));
            output.done(
                    webhook,
                    webhook.id(),
                    "changed the webhook " + webhook.id() + " (" + WebhooksCommand.state(webhook) + ")");
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", aliases = "rm", description = "Deletes a webhook with the history of its deliveries.")
    public static final class Delete extends WebhooksCommand.OfWebhook {
        @Mixin
        private final Confirmation confirmation;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("delete the webhook " + id + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var whole = id(client);
            webhooks(client).delete(whole);
            output.done(new Removed(whole.toString()), whole, "deleted the webhook " + whole);
            return ExitCode.OK;
        }
    }

    @Command(
            name = "rotate-secret",
            description = "Gives a webhook a new secret and prints it, once. The old one also signs for a while.")
    public static final class RotateSecret extends WebhooksCommand.OfWebhook {
        @Option(
                names = "--overlap",
                paramLabel = "PERIOD",
                description = "How long the old secret still signs: 0m to 30d. Default: a day.")
        private @Nullable String overlap;

        public RotateSecret(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhook = webhooks(client).rotateSecret(id(client), Words.isoPeriod("--overlap", overlap));
            String old = webhook.oldSecretUntil() == null
                    ? "the old one no longer signs"
                    : "the old one also signs until " + Text.time(webhook.oldSecretUntil());
            return secret("the webhook " + webhook.id() + " has a new secret; " + old, webhook);
        }
    }

    @Command(
            name = "replay",
            description = "Sends the events of a period again, as far back as they are kept.",
            footer = {"", "Example:", "  sheaf webhooks replay ID --after 2026-01-15T00:00:00Z"})
    public static final class Replay extends WebhooksCommand.OfWebhook {
        @Option(
                names = "--after",
                required = true,
                paramLabel = "PLACE",
                description =
                        "Events after this: a time such as 2026-01-15T00:00:00Z, an age such as 1h, or the sequence "
                                + "of an event.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String after;

        @Option(
                names = "--before",
                paramLabel = "PLACE",
                description = "Events up to this: a time, an age or a sequence. Default: now.")
        private @Nullable String before;

        public Replay(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhook = webhooks(client)
                    .replay(id(client), Words.place(after), before == null ? null : Words.place(before));
            output.done(
                    webhook,
                    webhook.id(),
                    webhook.replay() == null
                            ? "no kept event is in that period"
                            : "sending the events again; to see the progress: sheaf webhooks show " + webhook.id());
            return ExitCode.OK;
        }
    }
}
