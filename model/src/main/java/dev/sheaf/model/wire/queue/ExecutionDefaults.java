package dev.sheaf.model.wire.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The default settings for running the jobs of a queue.
///
/// @param workingDirectory the directory in which the runner starts the work
/// @param environment the variables that the runner sets; only visible to the holders of jobs and to callers
/// with scope write
public record ExecutionDefaults(
        @Nullable String workingDirectory,
        @Nullable Map<String, String> environment,
        @Nullable Sandbox sandbox,
        @Nullable Constraints constraints) {
    public ExecutionDefaults {
        environment = environment == null ? null : new LinkedHashMap<>(environment);
    }

    /// The resources that the work may access.
    public record Sandbox(
            boolean enabled,
            @Nullable Boolean allowNetwork,
            @Nullable Boolean allowFileWrite,
            List<String> allowedPaths) {
        public Sandbox {
            allowedPaths = allowedPaths == null ? List.of() : List.copyOf(allowedPaths);
        }
    }

    /// Resource limits of the work. The runner enforces them.
    public record Constraints(
            @Nullable Integer maxTurns,
            @Nullable Double maxBudgetUsd,
            @Nullable Long timeoutMs) {}

    /// Hides the environment, which may contain secrets, since this record may be logged.
    @Override
    public String toString() {
        return "ExecutionDefaults[" + workingDirectory + "]";
    }
}
