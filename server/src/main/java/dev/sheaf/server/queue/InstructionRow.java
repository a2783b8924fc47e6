package dev.sheaf.server.queue;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.queue.Instruction;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An instruction of a queue: a template, or the prompt at a path of a version of a bundle.
///
/// @param bundle `namespace/bundle`
public record InstructionRow(
        UUID id,
        UUID queueId,
        int version,
        String slug,
        String name,
        @Nullable String template,
        @Nullable String bundle,
        @Nullable Digest digest,
        @Nullable String path,
        boolean active,
        Instant createdAt,
        String createdBy) {
    Instruction toWire() {
        return new Instruction(
                id,
                queueId,
                slug,
                name,
                template,
                bundle == null ? null : bundle + "@" + digest,
                path,
                version,
                active,
                createdAt,
                createdBy);
    }
}
