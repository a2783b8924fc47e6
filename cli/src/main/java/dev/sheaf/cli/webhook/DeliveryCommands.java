package dev.sheaf.cli.webhook;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Looks;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Webhooks;
import dev.sheaf.model.wire.webhook.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands of `sheaf webhooks` about deliveries.
public final class DeliveryCommands {
    /// A receiver has 15 seconds to answer.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int MOST_OF_ANSWER = 200;
    /// The end of an id is looked up among this many of the latest deliveries.
    private static final int SEARCHED = 1_000;

    private DeliveryCommands() {}

    /// A command about one delivery, or a new one.
    abstract static class Sending extends WebhooksCommand.OfWebhook {
        Sending(Connection connection) {
            super(connection);
        }

        /// Waits for the next attempt and reports its result.
        ///
        /// @param tried the number of earlier attempts
        ExitCode await(Webhooks webhooks, UUID webhook, Delivery begun, int tried) {
            var delivery = begun;
            long end = System.nanoTime() + PATIENCE.toNanos();
            var looks = new Looks();
            while (delivery.attemptCount() <= tried && System.nanoTime() - end < 0) {
                looks.await();
                delivery = webhooks.delivery(webhook, begun.id());
            }
            return show(webhook, delivery, tried);
        }

        private ExitCode show(UUID webhook, Delivery delivery, int tried) {
            var last = delivery.attemptCount() > tried ? last(delivery) : null;
            boolean delivered = last != null && last.error() == null;
            output.one(delivery, delivery.id(), summary(delivery, last));
            if (last == null) {
                output.fail("it has not been sent yet; to check again: sheaf webhooks delivery " + webhook + " "
                        + delivery.id());
            } else if (!delivered) {
                output.fail("the receiver did not accept it: " + last.error());
            }
            return delivered ? ExitCode.OK : ExitCode.GENERAL;
        }
    }

    private static UUID find(Webhooks webhooks, UUID webhook, IdOrEnd delivery) {
        return delivery.among(
                "delivery among the latest " + SEARCHED,
                () -> webhooks.deliveries(webhook, null, null, SEARCHED),
                Delivery::id);
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
        return answer == null || answer.isBlank() ? null : Text.cut(answer, MOST_OF_ANSWER);
    }

    @Command(
            name = "test",
            description =
                    "Sends an event of the type webhook.test and shows the result. Fails if the receiver does not "
                            + "accept it.")
    public static final class Test extends Sending {
        public Test(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhooks = webhooks(client);
            var webhook = id(client);
            return await(webhooks, webhook, webhooks.test(webhook), 0);
        }
    }

    @Command(name = "deliveries", description = "Lists the deliveries of a webhook, the newest first.")
    public static final class ListAll extends WebhooksCommand.OfWebhook {
        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "Only deliveries in this state: delivered, pending or failed.")
        private @Nullable String state;

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                description = "Only events of this type, such as version.published or version.*.")
        private @Nullable String type;

        @Option(names = "--limit", paramLabel = "N", description = "At most this many. Default: 20.")
        private int limit = 20;

        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var deliveries = webhooks(client).deliveries(id(client), state, type, Math.max(1, limit));
            var table = new Table("ID", "STATE", "ATTEMPTS", "LAST", "TYPE", "SUBJECT").right("ATTEMPTS");
            deliveries.forEach(delivery -> table.row(
                    delivery.id(),
                    delivery.state(),
                    delivery.attemptCount(),
                    Text.time(delivery.updatedAt()),
                    delivery.type(),
                    delivery.subject()));
            output.list(deliveries, Delivery::id, table, "no delivery matches");
            return ExitCode.OK;
        }
    }

    @Command(name = "delivery", description = "Shows one delivery with each attempt.")
    public static final class Show extends WebhooksCommand.OfWebhook {
        @Parameters(
                index = "1",
                paramLabel = "DELIVERY",
                description = "Its id, as shown by sheaf webhooks deliveries.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd delivery;

        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhooks = webhooks(client);
            var webhook = id(client);
            var found = webhooks.delivery(webhook, find(webhooks, webhook, delivery));
            output.show(
                    found,
                    shell -> {
                        summary(found, null).print(shell);
                        shell.out().println();
                        attempts(found).print(shell, "it has not been sent yet");
                    },
                    () -> List.of(found.state()));
            return ExitCode.OK;
        }

        private static Table attempts(Delivery delivery) {
            var table = new Table("AT", "MS", "STATUS", "RESULT").right("MS");
            List<Delivery.Attempt> attempts = delivery.attempts() == null ? List.of() : delivery.attempts();
            attempts.forEach(attempt -> table.row(
                    Text.time(attempt.at()),
                    attempt.milliseconds(),
                    attempt.status() == null ? "-" : attempt.status(),
                    result(attempt)));
            return table;
        }

        private static String result(Delivery.Attempt attempt) {
            String said = answer(attempt.answer());
            return (attempt.error() == null ? "delivered" : attempt.error()) + (said == null ? "" : ": " + said);
        }
    }

    @Command(name = "redeliver", description = "Sends a delivery again, whatever its state, and shows the result.")
    public static final class Redeliver extends Sending {
        @Parameters(
                index = "1",
                paramLabel = "DELIVERY",
                description = "Its id, as shown by sheaf webhooks deliveries.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd delivery;

        public Redeliver(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var webhooks = webhooks(client);
            var webhook = id(client);
            var again = webhooks.redeliver(webhook, find(webhooks, webhook, delivery));
            return await(webhooks, webhook, again, again.attemptCount());
        }
    }
}
