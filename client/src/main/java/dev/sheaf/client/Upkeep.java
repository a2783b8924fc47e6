package dev.sheaf.client;

import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.model.wire.TaskRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Upkeep of a whole installation; every call needs an admin key of the organization that it began with.
/// Thread-safe.
public final class Upkeep {
    private static final int PAGE = 20;

    private final Transport transport;

    Upkeep(Transport transport) {
        this.transport = transport;
    }

    /// What the installation holds: counts by name, and its engine.
    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    public Map<String, Object> stats() {
        return transport.json(Call.get(at("/stats")), Map.class);
    }

    /// Starts a task and returns at once.
    ///
    /// @throws SheafException.Conflict while it runs already
    /// @throws SheafException.InvalidRequest where there is no such task
    public TaskRecord start(String task, boolean dryRun) {
        var call = Call.of("POST", at("/tasks")).sendingJson(new TaskRequest(task, dryRun));
        return transport.json(call.expecting(201).once(), TaskRecord.class);
    }

    /// How far a run is, as of a few seconds ago.
    public TaskRecord get(UUID id) {
        return transport.json(Call.get(at("/tasks/" + id)), TaskRecord.class);
    }

    /// Asks a run to stop; a success also where it is over.
    public TaskRecord cancel(UUID id) {
        return transport.json(Call.of("POST", at("/tasks/" + id + ":cancel")), TaskRecord.class);
    }

    /// The latest runs, the newest first.
    public List<TaskRecord> latest() {
        Page<TaskRecord> page = transport.page(Call.get(at("/tasks?limit=" + PAGE)), TaskRecord.class);
        return page.data();
    }

    private URI at(String rest) {
        return transport.registry().at("/v1/admin" + rest);
    }
}
