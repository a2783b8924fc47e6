package dev.sheaf.client.queue;

import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.model.wire.queue.Queue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of a queue. For a value that is not set, a new queue uses the registry's default, and an
/// existing queue keeps its value. Each method returns a copy with one more value; null leaves it unset.
/// Immutable.
public final class QueueSettings {
    /// No settings.
    public static final QueueSettings NONE = new QueueSettings(RequestMembers.NOTHING);

    private final RequestMembers members;

    private QueueSettings(RequestMembers members) {
        this.members = members;
    }

    Map<String, @Nullable Object> members() {
        return members.members();
    }

    /// Returns whether nothing is set.
    public boolean isEmpty() {
        return members().isEmpty();
    }

    /// Sets the name for URLs and the command line.
    public QueueSettings slug(@Nullable String slug) {
        return new QueueSettings(members.and("slug", slug));
    }

    /// Sets the name for people.
    public QueueSettings name(@Nullable String name) {
        return new QueueSettings(members.and("name", name));
    }

    /// Sets the description; empty removes it.
    public QueueSettings description(@Nullable String text) {
        return new QueueSettings(members.andText("description", text));
    }

    /// Sets the id of the habitat in which its jobs run.
    public QueueSettings habitat(@Nullable String habitat) {
        return new QueueSettings(members.and("habitatId", habitat));
    }

    /// Sets the maximum number of attempts of a job, 1 to 100.
    public QueueSettings maxAttempts(@Nullable Integer attempts) {
        return new QueueSettings(members.and("maxAttempts", attempts));
    }

    /// Sets how long a claim lasts without a heartbeat, 5 to 600 seconds.
    public QueueSettings leaseSeconds(@Nullable Integer seconds) {
        return new QueueSettings(members.and("leaseSeconds", seconds));
    }

    /// Sets how long a job may run, in seconds.
    public QueueSettings timeoutSeconds(@Nullable Integer seconds) {
        return new QueueSettings(members.and("timeoutSeconds", seconds));
    }

    /// Sets how many jobs may be claimed at a time; 0 means no limit.
    public QueueSettings maxRunning(@Nullable Integer most) {
        return most != null && most == 0
                ? new QueueSettings(members.andText("maxRunning", ""))
                : new QueueSettings(members.and("maxRunning", most));
    }

    /// Sets how many jobs may wait.
    public QueueSettings maxDepth(@Nullable Integer most) {
        return new QueueSettings(members.and("maxDepth", most));
    }

    /// Sets how long a failed job waits before it is retried.
    public QueueSettings retry(Queue.@Nullable Retry retry) {
        return new QueueSettings(members.and("retry", retry));
    }

    /// Sets how long finished jobs are kept, in days.
    public QueueSettings retentionDays(@Nullable Integer days) {
        return new QueueSettings(members.and("retentionDays", days));
    }

    /// Sets the bundle that its jobs use, such as `acme/kit:^1`; empty removes it.
    public QueueSettings bundle(@Nullable String reference) {
        return new QueueSettings(members.andText("bundle", reference));
    }

    /// Sets the kind of program that does the work; empty means the registry's default.
    public QueueSettings harnessType(@Nullable String type) {
        return new QueueSettings(members.andText("harnessType", type));
    }

    /// Sets the defaults for running its jobs; replaces all earlier values.
    public QueueSettings execution(@Nullable ExecutionDefaults defaults) {
        return new QueueSettings(members.and("execution", defaults));
    }

    /// Sets which outcomes of jobs emit events: `completed`, `failed`, `dead`, `cancelled`.
    public QueueSettings events(@Nullable List<String> ends) {
        return new QueueSettings(members.and("events", ends));
    }

    /// Shows the names of the values that are set, not the values, which may be secret.
    @Override
    public String toString() {
        return "QueueSettings" + members().keySet();
    }
}
