package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What runner programs read.
public final class Runner {
    private Runner() {}

    /// Settings of an organization.
    ///
    /// @param providers always empty: settings of providers are not kept here
    public record Config(
            String configVersion,
            UUID organizationId,
            Instant generatedAt,
            int refreshAfterSeconds,
            Map<String, Object> providers) {
        public Config {
            providers = Map.copyOf(providers);
        }
    }

    /// A place where work runs.
    public record HabitatEntry(UUID id, String slug, String name, String status, String habitatType) {}

    /// A queue.
    public record QueueEntry(
            UUID id,
            String slug,
            String name,
            String status,
            @Nullable UUID habitatId) {}

    /// Whether a queue has an active instruction.
    public record InstructionAvailability(
            UUID queueId,
            boolean hasActiveInstruction,
            @Nullable UUID instructionId,
            @Nullable String instructionName,
            @Nullable String instructionSlug) {}

    /// Each of them, in the order of the list.
    public record Claims(List<Claim> jobs) {
        public Claims {
            jobs = List.copyOf(jobs);
        }
    }
}
