package dev.sheaf.server.queue;

import dev.sheaf.engine.input.JsonText;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A queue.
public record QueueRow(
        UUID id,
        UUID organizationId,
        QueueStatus status,
        QueueSettings settings,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {
    public UUID habitatId() {
        return Objects.requireNonNull(settings.habitatId());
    }

    public String slug() {
        return settings.slug();
    }

    public String name() {
        return settings.name();
    }

    public int maxAttempts() {
        return settings.maxAttempts();
    }

    public int leaseSeconds() {
        return settings.leaseSeconds();
    }

    public int timeoutSeconds() {
        return settings.timeoutSeconds();
    }

    public @Nullable Integer maxRunning() {
        return settings.maxRunning();
    }

    public int maxDepth() {
        return settings.maxDepth();
    }

    /// Returns the base of the backoff in seconds.
    public int retryBase() {
        return settings.retryBase();
    }

    /// Returns the cap of the backoff in seconds.
    public int retryCap() {
        return settings.retryCap();
    }

    public int retentionDays() {
        return settings.retentionDays();
    }

    public @Nullable String bundle() {
        return settings.bundle();
    }

    public @Nullable String harnessType() {
        return settings.harnessType();
    }

    /// Returns the output of [ExecutionFields]; null if there is none.
    public @Nullable JsonText execution() {
        return settings.execution();
    }

    /// Returns whether this final state of a job causes an event.
    public boolean tells(JobState end) {
        var events = settings.events();
        return events != null && events.names().contains(end.toString());
    }
}
