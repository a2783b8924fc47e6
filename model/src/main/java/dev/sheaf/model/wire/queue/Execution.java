package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings for running a claimed job.
///
/// @param harnessType the kind of program that runs it; `shell` if the queue does not specify a kind
/// @param renderedInstruction empty if the queue has no instruction
/// @param timeoutMs the time limit from the start, in milliseconds
public record Execution(
        String harnessType,
        String renderedInstruction,
        long timeoutMs,
        @Nullable String workingDirectory,
        Map<String, String> environment,
        @Nullable Bundle bundle,
        ExecutionDefaults.@Nullable Sandbox sandbox,
        ExecutionDefaults.@Nullable Constraints constraints) {
    /// The bundle that the job uses.
    ///
    /// @param ref the reference in the job or the queue
    /// @param ociPinnedRef a reference for any OCI client
    /// @param token a token to pull this digest, valid until the job ends; null if the registry does not issue
    /// a token
    public record Bundle(
            String ref,
            String digest,
            String ociPinnedRef,
            @Nullable String token,
            @Nullable Instant tokenExpiresAt) {
        /// Hides the token, since this record may be logged.
        @Override
        public String toString() {
            return "Bundle[" + ref + ", " + digest + "]";
        }
    }

    /// Hides the environment, since this record may be logged.
    @Override
    public String toString() {
        return "Execution[" + harnessType + "]";
    }
}
