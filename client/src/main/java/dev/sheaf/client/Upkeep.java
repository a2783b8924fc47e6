package dev.sheaf.client;

import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.admin.TaskRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Maintenance of a whole installation. Every call needs an admin key of the installation's first organization.
/// Thread-safe.
public final class Upkeep {
    private static final int PAGE = 20;

    private final Resource admin;

    Upkeep(Transport transport) {
        this.admin = new Resource(transport, "/v1/admin");
    }

    /// Returns counts of what the installation stores, by name, and its database engine.
    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    public Map<String, Object> stats() {
        return admin.get("/stats", Map.class);
    }

    /// Starts a task and returns at once.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the task is running already
    /// @throws dev.sheaf.client.api.SheafException.InvalidRequest if there is no such task
    public TaskRecord start(String task, boolean dryRun) {
        return admin.create("/tasks", new TaskRequest(task, dryRun), TaskRecord.class);
    }

    /// Returns the progress of a run, at most a few seconds old.
    public TaskRecord get(UUID id) {
        return admin.get("/tasks/" + id, TaskRecord.class);
    }

    /// Asks a run to stop. Also succeeds if it has ended.
    public TaskRecord cancel(UUID id) {
        return admin.post("/tasks/" + id + ":cancel", TaskRecord.class);
    }

    /// Returns the latest runs, newest first.
    public List<TaskRecord> latest() {
        return admin.list("/tasks", TaskRecord.class, PAGE);
    }
}
