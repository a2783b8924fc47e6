package dev.sheaf.client;

import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.admin.TaskRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Upkeep of a whole installation; every call needs an admin key of the organization that it began with.
/// Thread-safe.
public final class Upkeep {
    private static final int PAGE = 20;

    private final Resource admin;

    Upkeep(Transport transport) {
        this.admin = new Resource(transport, "/v1/admin");
    }

    /// What the installation holds: counts by name, and its engine.
    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    public Map<String, Object> stats() {
        return admin.get("/stats", Map.class);
    }

    /// Starts a task and returns at once.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict while it runs already
    /// @throws dev.sheaf.client.api.SheafException.InvalidRequest where there is no such task
    public TaskRecord start(String task, boolean dryRun) {
        return admin.create("/tasks", new TaskRequest(task, dryRun), TaskRecord.class);
    }

    /// How far a run is, as of a few seconds ago.
    public TaskRecord get(UUID id) {
        return admin.get("/tasks/" + id, TaskRecord.class);
    }

    /// Asks a run to stop; a success also where it is over.
    public TaskRecord cancel(UUID id) {
        return admin.post("/tasks/" + id + ":cancel", TaskRecord.class);
    }

    /// The latest runs, the newest first.
    public List<TaskRecord> latest() {
        return admin.list("/tasks", TaskRecord.class, PAGE);
    }
}
