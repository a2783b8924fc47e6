package dev.sheaf.client.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.QueueStats;
import dev.sheaf.model.wire.queue.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The queues of an organization, and their schedules, routes and workers. A `queue` is an id or a slug.
/// Reading needs the scope `read`, [#delete] with force needs `admin`, all other calls need `write`.
/// Thread-safe.
public final class Queues {
    private static final String QUEUES = "/queues";
    private static final String HABITATS = "/habitats";
    private static final String WORKERS = "/workers";

    private final ApiResource organization;

    /// @hidden use `SheafClient.queues`
    @SuppressWarnings("exports") // only this module can call it
    public Queues(ApiResource organization) {
        this.organization = organization;
    }

    private static String at(String queue) {
        return QUEUES + "/" + HttpCall.encode(queue);
    }

    /// Creates a queue.
    ///
    /// @throws SheafException.Conflict if a queue with this name exists, or the limit of queues is reached
    public Queue create(QueueSettings settings) {
        return organization.create(QUEUES, settings.members(), Queue.class);
    }

    /// Returns the queues of the organization.
    ///
    /// @param status `active`, `paused` or `archived`; null means all
    /// @param text a part of the slug or name; null means any
    public List<Queue> list(@Nullable String status, @Nullable String text) {
        var filter = new StringJoiner("&", "?", "").setEmptyValue("");
        if (status != null) {
            filter.add("status=" + HttpCall.encode(status));
        }
        if (text != null) {
            filter.add("q=" + HttpCall.encode(text));
        }
        return organization.list(QUEUES + filter, Queue.class);
    }

    /// Returns a queue.
    public Queue get(String queue) {
        return organization.get(at(queue), Queue.class);
    }

    /// Changes only the values that are set.
    public Queue edit(String queue, QueueSettings changes) {
        return organization.patch(at(queue), changes.members(), Queue.class);
    }

    /// Pauses a queue until [#resume]: workers cannot claim jobs, but new jobs are still accepted.
    public Queue pause(String queue) {
        return organization.post(at(queue) + ":pause", Map.of(), Queue.class);
    }

    /// Lets workers get jobs of a paused queue again.
    public Queue resume(String queue) {
        return organization.post(at(queue) + ":resume", Map.of(), Queue.class);
    }

    /// Stops accepting jobs, and keeps the history.
    public Queue archive(String queue) {
        return organization.post(at(queue) + ":archive", Map.of(), Queue.class);
    }

    /// Deletes a queue.
    ///
    /// @param force whether to delete its jobs too
    /// @throws SheafException.Conflict if it has jobs and `force` is false
    public void delete(String queue, boolean force) {
        organization.delete(at(queue) + (force ? "?force=true" : ""));
    }

    /// Deletes finished jobs.
    ///
    /// @param which statuses are any of `completed`, `failed`, `dead` and `cancelled`
    /// @return the number of jobs
    public long purge(String queue, EndedJobs which) {
        return organization
                .post(at(queue) + ":purge", which.members(), Job.Count.class)
                .count();
    }

    /// Returns statistics of the queue for a period of this length that ends now.
    public QueueStats stats(String queue, Duration window) {
        return organization.get(at(queue) + "/stats?window=" + HttpCall.encode(window.toString()), QueueStats.class);
    }

    /// Returns the calls for the instructions of a queue.
    public Instructions instructions(String queue) {
        return new Instructions(organization.below(at(queue) + "/instructions"));
    }

    /// Returns the calls for the schedules of a queue.
    public Schedules schedules(String queue) {
        return new Schedules(organization.below(at(queue) + "/schedules"));
    }

    /// Returns the calls for rules that turn events into jobs.
    public JobRoutes routes() {
        return new JobRoutes(organization.below("/routes"));
    }

    /// Returns the habitats, which are the places where workers run.
    public List<Habitat> habitats() {
        return organization.list(HABITATS, Habitat.class);
    }

    /// @param habitat an id or a slug
    public Habitat habitat(String habitat) {
        return organization.get(HABITATS + "/" + HttpCall.encode(habitat), Habitat.class);
    }

    /// Creates a habitat.
    ///
    /// @param type `local` or `cloud`; null means the registry's default
    public Habitat addHabitat(String slug, @Nullable String name, @Nullable String type) {
        var body = RequestMembers.NOTHING.and("slug", slug).and("name", name == null ? slug : name);
        return organization.create(HABITATS, body.and("habitatType", type).members(), Habitat.class);
    }

    /// @param habitat an id or a slug
    public Habitat renameHabitat(String habitat, String name) {
        return organization.patch(HABITATS + "/" + HttpCall.encode(habitat), Map.of("name", name), Habitat.class);
    }

    /// Deletes a habitat.
    ///
    /// @throws SheafException.Conflict if the habitat has a queue
    public void deleteHabitat(String habitat) {
        organization.delete(HABITATS + "/" + HttpCall.encode(habitat));
    }

    /// Returns the registered workers.
    public List<Worker> workers(int most) {
        return organization.list(WORKERS, Worker.class, most);
    }

    /// Returns a worker.
    public Worker worker(UUID id) {
        return organization.get(WORKERS + "/" + id, Worker.class);
    }

    /// Removes the registration of a worker that no longer runs.
    public void removeWorker(UUID id) {
        organization.delete(WORKERS + "/" + id);
    }
}
