package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a claimed job is to be run.
///
/// @param harnessType which kind of program does it; `shell` where the queue names none
/// @param renderedInstruction empty where the queue has no instruction
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
    /// What the job works with.
    ///
    /// @param ref as the job or the queue names it
    /// @param ociPinnedRef by which any OCI client pulls it
    /// @param token pulls this digest until it ends; null where the service gives none
    public record Bundle(
            String ref,
            String digest,
            String ociPinnedRef,
            @Nullable String token,
            @Nullable Instant tokenExpiresAt) {
        /// Does not show the token: this record may reach a log.
        @Override
        public String toString() {
            return "Bundle[" + ref + ", " + digest + "]";
        }
    }

    /// Does not show the environment: this record may reach a log.
    @Override
    public String toString() {
        return "Execution[" + harnessType + "]";
    }
}
