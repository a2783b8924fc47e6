package dev.sheaf.client.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A job to be enqueued. Each method returns a copy with one more value; null leaves the default of the queue or
/// the registry. Immutable.
public final class NewJob {
    private final RequestMembers members;

    private NewJob(RequestMembers members) {
        this.members = members;
    }

    /// Creates a job with this input.
    ///
    /// @param input a value that can be written as JSON, up to 256 KiB; null means no input
    public static NewJob of(@Nullable Object input) {
        return new NewJob(RequestMembers.NOTHING.and("inputData", input));
    }

    Map<String, @Nullable Object> members() {
        return members.members();
    }

    private NewJob and(String name, @Nullable Object value) {
        return new NewJob(members.and(name, value));
    }

    /// Sets the type, by which jobs can be filtered.
    public NewJob type(@Nullable String type) {
        return and("jobType", type);
    }

    /// Sets the priority: `low`, `normal`, `high` or `urgent`.
    public NewJob priority(@Nullable String priority) {
        return and("priority", priority);
    }

    /// Sets the earliest time at which a worker can claim the job.
    public NewJob notBefore(@Nullable Instant time) {
        return and("notBefore", time == null ? null : time.toString());
    }

    /// Sets the delay, in whole seconds by the registry's clock, after which a worker can claim the job.
    public NewJob delay(@Nullable Duration delay) {
        return and("delaySeconds", delay == null ? null : delay.toSeconds());
    }

    /// Sets a dedupe key: while a job with this key is unfinished, a second one is not enqueued, and the call
    /// returns the first job.
    public NewJob dedupeKey(@Nullable String key) {
        return and("dedupeKey", key);
    }

    /// Sets a concurrency key: of the jobs with this key, only one runs at a time.
    public NewJob concurrencyKey(@Nullable String key) {
        return and("concurrencyKey", key);
    }

    /// Sets the bundle to use instead of the queue's, such as `acme/kit:^1`.
    public NewJob bundle(@Nullable String reference) {
        return and("bundle", reference);
    }

    /// Sets the number of attempts; null means the queue's.
    public NewJob maxAttempts(@Nullable Integer attempts) {
        return and("maxAttempts", attempts);
    }

    /// Sets additional JSON data that is not part of the input.
    public NewJob data(@Nullable Object data) {
        return and("data", data);
    }

    /// Sets the attributes of the event that caused the job, as in CloudEvents.
    public NewJob event(@Nullable String type, @Nullable String source, @Nullable String subject) {
        return and("ceType", type).and("ceSource", source).and("ceSubject", subject);
    }

    /// Hides the data of the job, which may be secret.
    @Override
    public String toString() {
        return "NewJob" + members().keySet();
    }
}
