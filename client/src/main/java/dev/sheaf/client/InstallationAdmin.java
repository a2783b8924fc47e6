package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.TaskKindRecord;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.admin.TaskRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Maintenance of a whole installation. Every call needs an admin key of the installation's first organization.
/// Thread-safe.
public final class InstallationAdmin {
    private static final int PAGE = 20;

    private final ApiResource admin;

    InstallationAdmin(RegistryTransport transport) {
        this.admin = new ApiResource(transport, "/v1/admin");
    }

    /// Returns the counts of stored objects by name, and the database engine.
    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    public Map<String, Object> stats() {
        return admin.get("/stats", Map.class);
    }

    /// Returns the health of the node that handles the request. A refusal is not retried, because it is an answer
    /// about the state at this moment.
    public NodeHealth health() {
        var transport = admin.transport();
        return transport.json(
                HttpCall.get(transport.at(admin.path() + "/health")).once(), NodeHealth.class);
    }

    /// Returns whether the installation accepts changes.
    public ModeRecord mode() {
        return admin.get("/mode", ModeRecord.class);
    }

    /// Makes the installation read-only, or writable again. Every node follows within seconds.
    ///
    /// @param reason shown in each refusal, at most 500 characters; null for no reason
    public ModeRecord setMode(boolean readOnly, @Nullable String reason) {
        var body = new ModeRecord(readOnly, reason, null);
        return admin.transport().json(admin.call("PUT", "/mode").sendingJson(body), ModeRecord.class);
    }

    /// Returns the tasks that can be started, with what each would do now.
    public List<TaskKindRecord> tasks() {
        return admin.list("/task-kinds", TaskKindRecord.class, PAGE);
    }

    /// Starts a task and returns immediately.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the task is already running
    /// @throws dev.sheaf.client.api.SheafException.InvalidRequest if the task does not exist, or if it ends access:
    /// then [#start(String, boolean, String)] must confirm it
    public TaskRecord start(String task, boolean dryRun) {
        return start(task, dryRun, null);
    }

    /// Starts a task, as [#start(String, boolean)], and confirms it.
    ///
    /// @param confirm the name of the task again, if it ends access ([TaskKindRecord#endsAccess]); else null
    public TaskRecord start(String task, boolean dryRun, @Nullable String confirm) {
        return admin.create("/tasks", new TaskRequest(task, dryRun, confirm), TaskRecord.class);
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
