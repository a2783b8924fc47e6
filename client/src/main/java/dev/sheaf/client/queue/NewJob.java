package dev.sheaf.client.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A job that is yet to be enqueued. Each method gives a copy with one thing more; a null says nothing, and the queue's
/// or the registry's default holds then. Immutable.
public final class NewJob {
    private final Said said;

    private NewJob(Said said) {
        this.said = said;
    }

    /// A job with this input.
    ///
    /// @param input anything that can be written as JSON, up to 256 KiB; null: none
    public static NewJob of(@Nullable Object input) {
        return new NewJob(Said.NOTHING.and("inputData", input));
    }

    Map<String, @Nullable Object> members() {
        return said.members();
    }

    private NewJob and(String name, @Nullable Object value) {
        return new NewJob(said.and(name, value));
    }

    /// What kind of job it is, by which jobs can be listed.
    public NewJob type(@Nullable String type) {
        return and("jobType", type);
    }

    /// `low`, `normal`, `high` or `urgent`.
    public NewJob priority(@Nullable String priority) {
        return and("priority", priority);
    }

    /// Not to be given out before this time.
    public NewJob notBefore(@Nullable Instant time) {
        return and("notBefore", time == null ? null : time.toString());
    }

    /// Not to be given out before this time has passed at the registry. In full seconds.
    public NewJob delay(@Nullable Duration delay) {
        return and("delaySeconds", delay == null ? null : delay.toSeconds());
    }

    /// While a job with this key is not finished, a second one is not enqueued: the first is answered.
    public NewJob dedupeKey(@Nullable String key) {
        return and("dedupeKey", key);
    }

    /// Of the jobs with this key, one runs at a time.
    public NewJob concurrencyKey(@Nullable String key) {
        return and("concurrencyKey", key);
    }

    /// The bundle to use in place of the queue's, such as `acme/kit:^1`.
    public NewJob bundle(@Nullable String reference) {
        return and("bundle", reference);
    }

    public NewJob maxAttempts(@Nullable Integer attempts) {
        return and("maxAttempts", attempts);
    }

    /// Whatever belongs to the job and is no input; JSON.
    public NewJob data(@Nullable Object data) {
        return and("data", data);
    }

    /// Of which event it is, in the words of CloudEvents.
    public NewJob event(@Nullable String type, @Nullable String source, @Nullable String subject) {
        return and("ceType", type).and("ceSource", source).and("ceSubject", subject);
    }

    /// Does not show what the job is about, which may be secret.
    @Override
    public String toString() {
        return "NewJob" + members().keySet();
    }
}
