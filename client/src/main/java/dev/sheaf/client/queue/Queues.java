package dev.sheaf.client.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
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

/// The queues of an organization, and what belongs to them. Queues are named by id or slug. Reading needs the scope
/// `read`, everything else `write`, and [#delete] with force `admin`. Thread-safe.
public final class Queues {
    private static final String QUEUES = "/queues";
    private static final String HABITATS = "/habitats";
    private static final String WORKERS = "/workers";

    private final Resource organization;

    /// Use `SheafClient.queues`.
    @SuppressWarnings("exports") // only this module can call it
    public Queues(Resource organization) {
        this.organization = organization;
    }

    private record Ended(List<String> status, @Nullable String before) {}

    private static String at(String queue) {
        return QUEUES + "/" + Call.encode(queue);
    }

    /// Makes a queue.
    ///
    /// @throws SheafException.Conflict where there is one of this name, or as many as there may be
    public Queue create(QueueSettings settings) {
        return organization.create(QUEUES, settings.members(), Queue.class);
    }

    /// The queues of the organization.
    ///
    /// @param status `active`, `paused` or `archived`; null: all
    /// @param text stands in slug or name; null: any
    public List<Queue> list(@Nullable String status, @Nullable String text) {
        var filter = new StringJoiner("&", "?", "").setEmptyValue("");
        if (status != null) {
            filter.add("status=" + Call.encode(status));
        }
        if (text != null) {
            filter.add("q=" + Call.encode(text));
        }
        return organization.list(QUEUES + filter, Queue.class);
    }

    public Queue get(String queue) {
        return organization.get(at(queue), Queue.class);
    }

    /// Changes what the settings say, and nothing else.
    public Queue edit(String queue, QueueSettings changes) {
        return organization.patch(at(queue), changes.members(), Queue.class);
    }

    /// Gives out no job until [#resume]; takes new ones.
    public Queue pause(String queue) {
        return organization.post(at(queue) + ":pause", Map.of(), Queue.class);
    }

    public Queue resume(String queue) {
        return organization.post(at(queue) + ":resume", Map.of(), Queue.class);
    }

    /// Takes no jobs any more, and keeps its history.
    public Queue archive(String queue) {
        return organization.post(at(queue) + ":archive", Map.of(), Queue.class);
    }

    /// Deletes a queue.
    ///
    /// @param force with its jobs
    /// @throws SheafException.Conflict where it has jobs, and they were not to be deleted, too
    public void delete(String queue, boolean force) {
        organization.delete(at(queue) + (force ? "?force=true" : ""));
    }

    /// Deletes jobs that have ended.
    ///
    /// @param statuses of `completed`, `failed`, `dead` and `cancelled`
    /// @param before that ended before then, RFC 3339; null: whenever
    /// @return how many they were
    public long purge(String queue, List<String> statuses, @Nullable String before) {
        return organization
                .post(at(queue) + ":purge", new Ended(statuses, before), Job.Count.class)
                .count();
    }

    /// What the queue did lately.
    public QueueStats stats(String queue, Duration window) {
        return organization.get(at(queue) + "/stats?window=" + Call.encode(window.toString()), QueueStats.class);
    }

    /// What workers of a queue are told to do.
    public Instructions instructions(String queue) {
        return new Instructions(organization.below(at(queue) + "/instructions"));
    }

    /// When jobs of a queue are made.
    public Schedules schedules(String queue) {
        return new Schedules(organization.below(at(queue) + "/schedules"));
    }

    /// Which events of the organization become jobs.
    public JobRoutes routes() {
        return new JobRoutes(organization.below("/routes"));
    }

    /// Where work runs.
    public List<Habitat> habitats() {
        return organization.list(HABITATS, Habitat.class);
    }

    /// A place where work runs.
    ///
    /// @param habitat id or slug
    public Habitat habitat(String habitat) {
        return organization.get(HABITATS + "/" + Call.encode(habitat), Habitat.class);
    }

    /// Makes a place where work runs.
    ///
    /// @param type `local` or `cloud`; null: the registry's default
    public Habitat addHabitat(String slug, @Nullable String name, @Nullable String type) {
        var body = Said.NOTHING.and("slug", slug).and("name", name == null ? slug : name);
        return organization.create(HABITATS, body.and("habitatType", type).members(), Habitat.class);
    }

    /// Gives a habitat another name.
    ///
    /// @param habitat id or slug
    public Habitat renameHabitat(String habitat, String name) {
        return organization.patch(HABITATS + "/" + Call.encode(habitat), Map.of("name", name), Habitat.class);
    }

    /// Deletes a habitat.
    ///
    /// @throws SheafException.Conflict where a queue is in it
    public void deleteHabitat(String habitat) {
        organization.delete(HABITATS + "/" + Call.encode(habitat));
    }

    /// The programs that work on jobs.
    public List<Worker> workers(int most) {
        return organization.list(WORKERS, Worker.class, most);
    }

    public Worker worker(UUID id) {
        return organization.get(WORKERS + "/" + id, Worker.class);
    }

    /// Deregisters a worker that is gone.
    public void removeWorker(UUID id) {
        organization.delete(WORKERS + "/" + id);
    }
}
