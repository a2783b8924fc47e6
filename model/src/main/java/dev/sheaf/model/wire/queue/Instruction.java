package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The instruction for workers, as a Liquid template. Immutable; a change creates a new instruction.
///
/// @param template null if the instruction is a prompt in a bundle
/// @param bundle `namespace/bundle@sha256:…` of the bundle that contains the prompt
/// @param path the path of the prompt in that bundle
/// @param version 1, 2, … within the queue
public record Instruction(
        UUID id,
        UUID queueId,
        String slug,
        String name,
        @Nullable String template,
        @Nullable String bundle,
        @Nullable String path,
        int version,
        boolean active,
        Instant createdAt,
        String createdBy) {}
