package dev.sheaf.model.wire.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How jobs of a queue are run.
///
/// @param workingDirectory where the runner starts the work
/// @param environment variables that the runner sets; only holders of a job and callers with scope write see them
public record ExecutionDefaults(
        @Nullable String workingDirectory,
        @Nullable Map<String, String> environment,
        @Nullable Sandbox sandbox,
        @Nullable Constraints constraints) {
    public ExecutionDefaults {
        environment = environment == null ? null : new LinkedHashMap<>(environment);
    }

    /// What the work may touch.
    public record Sandbox(
            boolean enabled,
            @Nullable Boolean allowNetwork,
            @Nullable Boolean allowFileWrite,
            List<String> allowedPaths) {
        public Sandbox {
            allowedPaths = allowedPaths == null ? List.of() : List.copyOf(allowedPaths);
        }
    }

    /// What the work may use up. The runner sees to it.
    public record Constraints(
            @Nullable Integer maxTurns,
            @Nullable Double maxBudgetUsd,
            @Nullable Long timeoutMs) {}

    /// Does not show the environment, which may hold secrets: this record may reach a log.
    @Override
    public String toString() {
        return "ExecutionDefaults[" + workingDirectory + "]";
    }
}
