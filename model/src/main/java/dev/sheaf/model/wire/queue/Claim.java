package dev.sheaf.model.wire.queue;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A claimed job and the settings for running it.
///
/// @param instruction null if the queue has no active instruction
/// @param execution null if the job cannot run
/// @param executionError why the job cannot run, such as `prompt_error: line 1: …`. A string, because that is what
/// existing workers read; null if it can run
/// @param executionFailure the same in parts
public record Claim(
        Job job,
        @Nullable Instructions instruction,
        @Nullable Execution execution,
        @Nullable String executionError,
        @Nullable ExecutionFailure executionFailure) {

    /// Returns the claim of a job that cannot run.
    public static Claim failing(Job job, String code, String message) {
        return new Claim(job, null, null, code + ": " + message, new ExecutionFailure(code, message));
    }

    /// The queue's active instruction.
    ///
    /// @param instruction the template
    public record Instructions(UUID id, String name, String instruction) {}

    /// The reason why the job cannot run. The worker is expected to fail the job.
    ///
    /// @param code such as `prompt_error`
    public record ExecutionFailure(String code, String message) {}
}
