package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The responses for runner programs.
public final class Runner {
    private Runner() {}

    /// Settings of an organization.
    ///
    /// @param providers always empty: the registry does not store settings of providers
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

    /// A place where workers run.
    public record HabitatEntry(UUID id, String slug, String name, String status, String habitatType) {}

    /// A queue.
    public record QueueEntry(
            UUID id,
            String slug,
            String name,
            String status,
            @Nullable UUID habitatId) {}

    /// Reports whether a queue has an active instruction.
    public record InstructionAvailability(
            UUID queueId,
            boolean hasActiveInstruction,
            @Nullable UUID instructionId,
            @Nullable String instructionName,
            @Nullable String instructionSlug) {}

    /// Claimed jobs, in the order of the list.
    public record Claims(List<Claim> jobs) {
        public Claims {
            jobs = List.copyOf(jobs);
        }
    }
}
