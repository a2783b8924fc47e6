package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.ValueParsers;
import dev.sheaf.client.queue.EndedJobs;
import java.util.List;

/// Narrows down which ended jobs of a queue a command concerns.
record EndedOptions(OptionalValue<String> type, OptionalValue<String> error, OptionalValue<String> before) {
    static EndedOptions of(CliCommand command) {
        return new EndedOptions(
                command.option("--type", "TYPE", "Only jobs of this type."),
                command.option("--error", "CODE", "Only jobs whose last failure has this code, such as exit_3."),
                command.option(
                        "--before",
                        "TIME",
                        "Only jobs that were enqueued before a time such as 2026-01-15T00:00:00Z, or longer ago than a "
                                + "period such as 7d."));
    }

    boolean isGiven() {
        return type.isGiven() || error.isGiven() || before.isGiven();
    }

    EndedJobs of(List<String> statuses) {
        return EndedJobs.of(statuses)
                .type(type.get())
                .errorCode(error.get())
                .before(ValueParsers.placeOrNull(before.get()));
    }

    /// Returns the words for a question, such as `, with the error exit_3`; empty if nothing is narrowed down.
    String words() {
        return (type.isGiven() ? ", of the type " + type.get() : "")
                + (error.isGiven() ? ", with the error " + error.get() : "")
                + (before.isGiven() ? ", enqueued before " + before.get() : "");
    }
}
