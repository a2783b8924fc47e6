package dev.sheaf.client.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The jobs of an organization. Reading needs the scope `read`, all other calls need `write`. Thread-safe.
public final class Jobs {
    /// The maximum number of jobs in one call.
    public static final int BATCH = 100;

    private static final Set<String> ENDS = Set.of("completed", "failed", "dead", "cancelled");
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);
    private static final Duration LAST_LOOK = Duration.ofSeconds(2);

    private final ApiResource organization;

    /// @hidden use `SheafClient.jobs`
    @SuppressWarnings("exports") // only this module can call it
    public Jobs(ApiResource organization) {
        this.organization = organization;
    }

    private record Many(List<Map<String, @Nullable Object>> jobs) {}

    /// A job that was to be enqueued.
    ///
    /// @param isNew false: it is the unfinished job with the same dedupe key, and stays as it was
    public record Enqueued(Job job, boolean isNew) {}

    private static String of(String queue) {
        return "/queues/" + HttpCall.encode(queue) + "/jobs";
    }

    /// Returns whether a job has ended, with any outcome. A failed job may be retried manually.
    public static boolean hasEnded(Job job) {
        return ENDS.contains(job.status());
    }

    /// Enqueues a job. It is enqueued once, even if the connection breaks and the request is repeated.
    ///
    /// @param queue an id or a slug
    /// @return the new job, or the unfinished job with the same dedupe key
    /// @throws SheafException.InvalidRequest if the job is invalid, such as input of more than 256 KiB
    /// @throws SheafException.Conflict if the queue is archived
    public Job enqueue(String queue, NewJob job) {
        return enqueueIfNew(queue, job).job();
    }

    /// Enqueues a job as [#enqueue] does, and returns whether it is new.
    public Enqueued enqueueIfNew(String queue, NewJob job) {
        var status = new AtomicInteger();
        var made = organization
                .transport()
                .json(
                        organization
                                .call("POST", of(queue))
                                .sendingJson(job.members())
                                .keyed()
                                .expecting(200, 201),
                        Job.class,
                        status::set);
        return new Enqueued(made, status.get() != 200);
    }

    /// Enqueues up to 100 jobs, all or none.
    ///
    /// @return the jobs, in the same order
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

    /// Returns a job, without its attempts.
    public Job get(UUID id) {
        return organization.get("/jobs/" + id, Job.class);
    }

    /// Returns a job with all its finished attempts.
    public Job withAttempts(UUID id) {
        return organization.get("/jobs/" + id + "?include=attempts", Job.class);
    }

    /// Returns jobs of a queue, or of all queues.
    ///
    /// @param queue an id or a slug; null means all queues
    /// @param most the maximum number of results, at least 1
    public List<Job> list(@Nullable String queue, JobFilter filter, int most) {
        return organization.list((queue == null ? "/jobs" : of(queue)) + filter.query(), Job.class, most);
    }

    /// Cancels an unfinished job. The worker that holds it learns of this at its next heartbeat.
    ///
    /// @throws SheafException.Conflict if the job has ended
    public Job cancel(UUID id) {
        return organization.post("/jobs/" + id + ":cancel", Map.of(), Job.class);
    }

    /// Retries a failed, dead or cancelled job. The numbers of its attempts continue.
    ///
    /// @throws SheafException.Conflict if it is in another state
    public Job retry(UUID id) {
        return organization.post("/jobs/" + id + ":retry", Map.of(), Job.class);
    }

    /// Retries jobs of a queue, with a request for each ten thousand.
    ///
    /// @param which statuses are any of `failed`, `dead` and `cancelled`
    /// @return the number of jobs
    public long retryAll(String queue, EndedJobs which) {
        long all = 0;
        Job.Changed part;
        do {
            part = organization.post(of(queue) + ":retry", which.members(), Job.Changed.class);
            all += part.count();
        } while (part.count() > 0 && Boolean.TRUE.equals(part.hasMore()));
        return all;
    }

    /// Returns the history of a job, oldest first.
    public List<JobEvent> events(UUID id, int most) {
        return organization.list("/jobs/" + id + "/events", JobEvent.class, most);
    }

    /// Waits until a job has ended. The waits between requests grow to two seconds.
    ///
    /// @return the finished job, or its state at the end of the time
    public Job await(UUID id, Duration longest) {
        long begin = System.nanoTime();
        var pause = FIRST_LOOK;
        var job = get(id);
        while (!hasEnded(job)) {
            var left = longest.minusNanos(System.nanoTime() - begin);
            if (!left.isPositive()) {
                return job;
            }
            TaskThreads.sleep(left.compareTo(pause) < 0 ? left : pause);
            pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
            job = get(id);
        }
        return job;
    }
}
