package dev.sheaf.model.wire.queue;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A claimed job and the settings for running it.
///
/// @param instruction null if the queue has no active instruction
/// @param execution null if `executionError` is set
public record Claim(
        Job job,
        @Nullable Instructions instruction,
        @Nullable Execution execution,
        @Nullable ExecutionError executionError) {

    /// The queue's active instruction.
    ///
    /// @param instruction the template
    public record Instructions(UUID id, String name, String instruction) {}

    /// The reason why the job cannot run. The worker is expected to fail the job.
    ///
    /// @param code such as `prompt_error` or `bundle_gone`
    public record ExecutionError(String code, String message) {}
}
