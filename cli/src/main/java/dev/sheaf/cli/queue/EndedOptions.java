package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Words;
import dev.sheaf.client.queue.EndedJobs;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Narrows down which ended jobs of a queue a command concerns.
final class EndedOptions {
    @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.")
    private @Nullable String type;

    @Option(
            names = "--error",
            paramLabel = "CODE",
            description = "Only jobs whose last failure has this code, such as exit_3.")
    private @Nullable String error;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            description = "Only jobs that were enqueued before a time such as 2026-01-15T00:00:00Z, or longer ago"
                    + " than a period such as 7d.")
    private @Nullable String before;

    boolean isEmpty() {
        return type == null && error == null && before == null;
    }

    EndedJobs of(List<String> statuses) {
        return EndedJobs.of(statuses).type(type).errorCode(error).before(before == null ? null : Words.place(before));
    }

    /// Returns the words for a question, such as `, with the error exit_3`; empty if nothing is narrowed down.
    String words() {
        return (type == null ? "" : ", of the type " + type)
                + (error == null ? "" : ", with the error " + error)
                + (before == null ? "" : ", enqueued before " + before);
    }
}
