package dev.sheaf.client.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.io.Threads;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The jobs of an organization. Reading needs the scope `read`, everything else `write`. Thread-safe.
public final class Jobs {
    /// The most that one call enqueues.
    public static final int BATCH = 100;

    private static final Set<String> ENDS = Set.of("completed", "failed", "dead", "cancelled");
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);
    private static final Duration LAST_LOOK = Duration.ofSeconds(2);

    private final Resource organization;

    /// Use `SheafClient.jobs`.
    @SuppressWarnings("exports") // only this module can call it
    public Jobs(Resource organization) {
        this.organization = organization;
    }

    private record Many(List<Map<String, @Nullable Object>> jobs) {}

    private record Which(
            List<String> status,
            @Nullable String jobType,
            @Nullable String before) {}

    private static String of(String queue) {
        return "/queues/" + Call.encode(queue) + "/jobs";
    }

    /// Whether a job has ended, in whatever way. A job that failed may be tried again by hand.
    public static boolean hasEnded(Job job) {
        return ENDS.contains(job.status());
    }

    /// Enqueues a job. It is enqueued once, also where the connection breaks and it is sent again.
    ///
    /// @param queue id or slug
    /// @return the new job, or the one with the same dedupe key that has not ended
    /// @throws SheafException.InvalidRequest where something is wrong with it, such as input of more than 256 KiB
    /// @throws SheafException.Conflict where the queue takes no jobs since it is archived
    public Job enqueue(String queue, NewJob job) {
        return organization
                .transport()
                .json(
                        organization
                                .call("POST", of(queue))
                                .sendingJson(job.members())
                                .keyed()
                                .expecting(200, 201),
                        Job.class);
    }

    /// Enqueues up to 100 jobs, all or none.
    ///
    /// @return them, in the same order
    public List<Job> enqueueAll(String queue, List<NewJob> jobs) {
        var body = new Many(jobs.stream().map(NewJob::members).toList());
        return organization
                .transport()
                .json(
                        organization
                                .call("POST", of(queue))
                                .sendingJson(body)
                                .keyed()
                                .expecting(200, 201),
                        Job.Batch.class)
                .jobs();
    }

    public Job get(UUID id) {
        return organization.get("/jobs/" + id, Job.class);
    }

    /// One with all its tries that have ended.
    public Job withAttempts(UUID id) {
        return organization.get("/jobs/" + id + "?include=attempts", Job.class);
    }

    /// Jobs of a queue, or of all queues.
    ///
    /// @param queue id or slug; null: all
    /// @param most how many at most, from 1 on
    public List<Job> list(@Nullable String queue, JobFilter filter, int most) {
        return organization.list((queue == null ? "/jobs" : of(queue)) + filter.query(), Job.class, most);
    }

    /// Ends a job that has not ended. The worker that has it hears of it with its next heartbeat.
    ///
    /// @throws SheafException.Conflict where it has ended
    public Job cancel(UUID id) {
        return organization.post("/jobs/" + id + ":cancel", Map.of(), Job.class);
    }

    /// Enqueues a job again that failed, is dead or was cancelled. Its tries are numbered on.
    ///
    /// @throws SheafException.Conflict where it is in another state
    public Job retry(UUID id) {
        return organization.post("/jobs/" + id + ":retry", Map.of(), Job.class);
    }

    /// The same of all jobs of a queue in these states.
    ///
    /// @param statuses of `failed` and `dead`
    /// @param type only jobs of this type; null: any
    /// @param before only jobs that ended before then, RFC 3339; null: any
    /// @return how many they were
    public long retryAll(String queue, List<String> statuses, @Nullable String type, @Nullable String before) {
        return organization
                .post(of(queue) + ":retry", new Which(statuses, type, before), Job.Count.class)
                .count();
    }

    /// What happened to a job, the oldest first.
    public List<JobEvent> events(UUID id, int most) {
        return organization.list("/jobs/" + id + "/events", JobEvent.class, most);
    }

    /// Waits until a job has ended, and asks for it at most every two seconds.
    ///
    /// @return the job as it is in the end, or after that time
    public Job await(UUID id, Duration longest) {
        long begin = System.nanoTime();
        var pause = FIRST_LOOK;
        var job = get(id);
        while (!hasEnded(job)) {
            var left = longest.minusNanos(System.nanoTime() - begin);
            if (!left.isPositive()) {
                return job;
            }
            Threads.sleep(left.compareTo(pause) < 0 ? left : pause);
            pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
            job = get(id);
        }
        return job;
    }
}
