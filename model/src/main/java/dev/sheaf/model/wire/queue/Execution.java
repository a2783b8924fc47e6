package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How to run a claimed job.
///
/// @param harnessType the kind of program that runs it; `shell` if the queue does not specify one
/// @param renderedInstruction empty if the queue has no instruction
/// @param timeoutMs from the start, in milliseconds
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
    /// @param ref as the job or the queue specifies it
    /// @param ociPinnedRef reference for any OCI client
    /// @param token a token to pull this digest, valid until the job ends; null if the service does not issue one
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
