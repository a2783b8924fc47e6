package dev.sheaf.client.queue;

import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.model.wire.queue.Queue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What somebody says about a queue. A new queue takes the registry's defaults for what is not said; one that exists
/// keeps it as it is. Each method gives a copy with one thing more; a null says nothing. Immutable.
public final class QueueSettings {
    public static final QueueSettings NONE = new QueueSettings(Said.NOTHING);

    private final Said said;

    private QueueSettings(Said said) {
        this.said = said;
    }

    Map<String, @Nullable Object> members() {
        return said.members();
    }

    /// Whether nothing is said.
    public boolean isEmpty() {
        return members().isEmpty();
    }

    /// The name in addresses and on the command line.
    public QueueSettings slug(@Nullable String slug) {
        return new QueueSettings(said.and("slug", slug));
    }

    public QueueSettings name(@Nullable String name) {
        return new QueueSettings(said.and("name", name));
    }

    /// What the queue is for; empty: nothing.
    public QueueSettings description(@Nullable String text) {
        return new QueueSettings(said.andText("description", text));
    }

    /// Where its jobs run: the id of a habitat.
    public QueueSettings habitat(@Nullable String habitat) {
        return new QueueSettings(said.and("habitatId", habitat));
    }

    /// How often a job is tried, 1 to 100.
    public QueueSettings maxAttempts(@Nullable Integer attempts) {
        return new QueueSettings(said.and("maxAttempts", attempts));
    }

    /// How long a claim holds without a heartbeat, 5 to 600 seconds.
    public QueueSettings leaseSeconds(@Nullable Integer seconds) {
        return new QueueSettings(said.and("leaseSeconds", seconds));
    }

    /// How long a job may run.
    public QueueSettings timeoutSeconds(@Nullable Integer seconds) {
        return new QueueSettings(said.and("timeoutSeconds", seconds));
    }

    /// How many jobs may be claimed at a time; 0: any number.
    public QueueSettings maxRunning(@Nullable Integer most) {
        return most != null && most == 0
                ? new QueueSettings(said.andText("maxRunning", ""))
                : new QueueSettings(said.and("maxRunning", most));
    }

    /// How many jobs may wait.
    public QueueSettings maxDepth(@Nullable Integer most) {
        return new QueueSettings(said.and("maxDepth", most));
    }

    /// How long a failed job waits before it is tried again.
    public QueueSettings retry(Queue.@Nullable Retry retry) {
        return new QueueSettings(said.and("retry", retry));
    }

    /// How long finished jobs are kept.
    public QueueSettings retentionDays(@Nullable Integer days) {
        return new QueueSettings(said.and("retentionDays", days));
    }

    /// The bundle that its jobs use, such as `acme/kit:^1`; empty: none.
    public QueueSettings bundle(@Nullable String reference) {
        return new QueueSettings(said.andText("bundle", reference));
    }

    /// Which kind of program does the work; empty: the registry's default.
    public QueueSettings harnessType(@Nullable String type) {
        return new QueueSettings(said.andText("harnessType", type));
    }

    /// How its jobs are run; replaces all that was said of that.
    public QueueSettings execution(@Nullable ExecutionDefaults defaults) {
        return new QueueSettings(said.and("execution", defaults));
    }

    /// Which ends of jobs become events: `completed`, `failed`, `dead`, `cancelled`.
    public QueueSettings events(@Nullable List<String> ends) {
        return new QueueSettings(said.and("events", ends));
    }

    /// Names what is said and no values, some of which may be secret.
    @Override
    public String toString() {
        return "QueueSettings" + members().keySet();
    }
}
