package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The instruction for workers, as a Liquid template. Immutable; a change creates a new one.
///
/// @param template null if it is a prompt of a bundle
/// @param bundle `namespace/bundle@sha256:…` that contains the prompt
/// @param path of the prompt in that bundle
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
