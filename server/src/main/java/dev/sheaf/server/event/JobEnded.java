package dev.sheaf.server.event;

import java.util.Set;
import java.util.UUID;

/// A job has ended.
///
/// @param outcome one of [#OUTCOMES]
/// @param queue its slug
public record JobEnded(UUID jobId, UUID queueId, String queue, String jobType, int attempts, String outcome)
        implements Event {
    static final Set<String> OUTCOMES = Set.of("completed", "failed", "dead", "cancelled");

    public JobEnded {
        if (!OUTCOMES.contains(outcome)) {
            throw new IllegalArgumentException(outcome); // it becomes part of the event's name
        }
    }

    @Override
    public String type() {
        return "job." + outcome;
    }

    @Override
    public String subject() {
        return jobId.toString();
    }

    @Override
    public Audience audience() {
        return Audience.READ;
    }
}
