package dev.sheaf.cli.webhook;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.PollingPause;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Webhooks;
import dev.sheaf.model.wire.webhook.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf webhooks` about deliveries.
final class DeliveryCommands {
    /// A receiver has 15 seconds to answer.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int MOST_OF_ANSWER = 200;

    /// The end of an id is looked up among this many of the latest deliveries.
    private static final int SEARCHED = 1_000;

    private static final Table<Delivery.Attempt> ATTEMPTS = new Table<Delivery.Attempt>()
            .column("AT", Delivery.Attempt::at)
            .number("MS", Delivery.Attempt::milliseconds)
            .column("STATUS", Delivery.Attempt::status)
            .column("RESULT", DeliveryCommands::result);

    private DeliveryCommands() {}

    private static RequiredValue<IdOrEnd> delivery(CliCommand command) {
        return command.argument(IdOrEnd.class, "DELIVERY", "Its id, as shown by sheaf webhooks deliveries.");
    }

    private static UUID id(RequiredValue<IdOrEnd> delivery, Webhooks webhooks, UUID webhook) {
        return delivery.get()
                .among(
                        "delivery among the latest " + SEARCHED,
                        () -> webhooks.deliveries(webhook, null, null, SEARCHED),
                        Delivery::id);
    }

    static CliCommand test(Connection connection) {
        var command = WebhookCommands.webhooks(
                connection,
                "test",
                "Sends an event of the type webhook.test and shows the result. Fails if the receiver does not accept "
                        + "it.");
        var id = WebhookCommands.webhook(command);
        return command.exit(webhooks -> {
            var webhook = WebhookCommands.id(id, webhooks);
            return await(command, webhooks, webhook, webhooks.test(webhook), 0);
        });
    }

    static CliCommand redeliver(Connection connection) {
        var command = WebhookCommands.webhooks(
                connection, "redeliver", "Sends a delivery again, whatever its state, and shows the result.");
        var id = WebhookCommands.webhook(command);
        var delivery = delivery(command);
        return command.exit(webhooks -> {
            var webhook = WebhookCommands.id(id, webhooks);
            var again = webhooks.redeliver(webhook, id(delivery, webhooks, webhook));
            return await(command, webhooks, webhook, again, again.attemptCount());
        });
    }

    /// Waits for the next attempt and reports its result.
    ///
    /// @param tried the number of earlier attempts
    private static ExitCode await(
            ResourceCommand<Webhooks> command, Webhooks webhooks, UUID webhook, Delivery begun, int tried) {
        var delivery = begun;
        long end = System.nanoTime() + PATIENCE.toNanos();
        var looks = new PollingPause();
        while (delivery.attemptCount() <= tried && System.nanoTime() - end < 0) {
            looks.await();
            delivery = webhooks.delivery(webhook, begun.id());
        }
        var last = delivery.attemptCount() > tried ? last(delivery) : null;
        boolean delivered = last != null && last.error() == null;
        command.output.one(delivery, delivery.id(), summary(delivery, last));
        if (last == null) {
            command.output.fail("it has not been sent yet; to check again: sheaf webhooks delivery " + webhook + " "
                    + delivery.id());
        } else if (!delivered) {
            command.output.fail("the receiver did not accept it: " + last.error());
        }
        return delivered ? ExitCode.OK : ExitCode.GENERAL;
    }

    private static Delivery.@Nullable Attempt last(Delivery delivery) {
        var attempts = delivery.attempts();
        return attempts == null || attempts.isEmpty() ? null : attempts.getLast();
    }

    private static Summary summary(Delivery delivery, Delivery.@Nullable Attempt last) {
        var summary = new Summary()
                .line("id", delivery.id())
                .line("event", delivery.type() + " " + delivery.subject())
                .line("webhook-id", delivery.eventId())
                .line("sequence", delivery.sequence())
                .line("state", delivery.state())
                .line("attempts", delivery.attemptCount())
                .line("next attempt", delivery.nextAttemptAt());
        return last == null
                ? summary
                : summary.line("took", last.milliseconds() + " ms")
                        .line("status", last.status())
                        .line("answer", answer(last.answer()))
                        .line("error", last.error());
    }

    private static @Nullable String answer(@Nullable String answer) {
        return answer == null || answer.isBlank() ? null : TextFormat.cut(answer, MOST_OF_ANSWER);
    }

    static CliCommand list(Connection connection) {
        var command = WebhookCommands.webhooks(
                connection, "deliveries", "Lists the deliveries of a webhook, the newest first.");
        var id = WebhookCommands.webhook(command);
        var state = command.option("--state", "STATE", "Only deliveries in this state: delivered, pending or failed.");
        var type =
                command.option("--type", "TYPE", "Only events of this type, such as version.published or version.*.");
        var limit = command.option(Integer.class, "--limit", "N", "At most this many. Default: 20.");
        return command.list(
                webhooks -> webhooks.deliveries(
                        WebhookCommands.id(id, webhooks), state.get(), type.get(), Math.max(1, limit.or(20))),
                Delivery::id,
                new Table<Delivery>()
                        .column("ID", Delivery::id)
                        .column("STATE", Delivery::state)
                        .number("ATTEMPTS", Delivery::attemptCount)
                        .column("LAST", Delivery::updatedAt)
                        .column(
                                "ANSWER",
                                delivery ->
                                        delivery.lastStatus() == null ? delivery.lastError() : delivery.lastStatus())
                        .column("TYPE", Delivery::type)
                        .column("SUBJECT", Delivery::subject),
                "no delivery matches");
    }

    static CliCommand show(Connection connection) {
        var command = WebhookCommands.webhooks(connection, "delivery", "Shows one delivery with each attempt.");
        var id = WebhookCommands.webhook(command);
        var delivery = delivery(command);
        return command.run(webhooks -> {
            var webhook = WebhookCommands.id(id, webhooks);
            var found = webhooks.delivery(webhook, id(delivery, webhooks, webhook));
            List<Delivery.Attempt> attempts = found.attempts();
            command.output.show(
                    found,
                    shell -> {
                        summary(found, null).print(shell);
                        shell.out().println();
                        ATTEMPTS.print(shell, attempts == null ? List.of() : attempts, "it has not been sent yet");
                    },
                    () -> List.of(found.state()));
        });
    }

    private static String result(Delivery.Attempt attempt) {
        String answer = answer(attempt.answer());
        return (attempt.error() == null ? "delivered" : attempt.error()) + (answer == null ? "" : ": " + answer);
    }
}
