package dev.sheaf.client.work;

import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.pull.BundlePull;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Configures a worker. Created by [dev.sheaf.client.SheafClient#worker]. Not thread-safe.
public final class WorkerBuilder {
    private static final int MOST_AT_A_TIME = 1_000;
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
    private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

    private final RegistryTransport transport;
    private final BundlePull puller;
    private final String queue;

    private int concurrency = 1;
    private long most = Long.MAX_VALUE;
    private boolean waits = true;
    private @Nullable Duration lease;
    private String instance = UUID.randomUUID().toString();
    private @Nullable String name;
    private String type = "sheaf-client";
    private @Nullable Object metadata;
    private @Nullable JobHandler handler;
    private WorkerListener listener = WorkerListener.NONE;

    /// @hidden use `SheafClient.worker`
    @SuppressWarnings("exports") // only this module can call it
    public WorkerBuilder(RegistryTransport transport, BundlePull puller, String queue) {
        this.transport = transport;
        this.puller = puller;
        this.queue = queue;
    }

    /// Sets the handler, which is required.
    public WorkerBuilder handler(JobHandler other) {
        handler = other;
        return this;
    }

    /// Sets the number of jobs at the same time, 1 to 1,000; the default is one.
    public WorkerBuilder concurrency(int jobs) {
        if (jobs < 1 || jobs > MOST_AT_A_TIME) {
            throw new IllegalArgumentException("the concurrency must be 1 to " + MOST_AT_A_TIME + ", not " + jobs);
        }
        concurrency = jobs;
        return this;
    }

    /// Sets the number of jobs after which the worker ends; the default is no limit.
    public WorkerBuilder maxJobs(long jobs) {
        if (jobs < 1) {
            throw new IllegalArgumentException("a worker takes at least one job, not " + jobs);
        }
        most = jobs;
        return this;
    }

    /// Makes the worker end as soon as no job is due, instead of waiting for a job.
    public WorkerBuilder untilEmpty() {
        waits = false;
        return this;
    }

    /// Sets how long a job is held without a heartbeat, 5 seconds to 10 minutes; the default is the queue's.
    public WorkerBuilder lease(@Nullable Duration time) {
        if (time != null && (time.compareTo(SHORTEST_LEASE) < 0 || time.compareTo(LONGEST_LEASE) > 0)) {
            throw new IllegalArgumentException("a lease must be 5 seconds to 10 minutes, not " + time);
        }
        lease = time;
        return this;
    }

    /// Sets the program's name at the registry. A registration with the same name replaces the earlier one. The
    /// default is a random name.
    public WorkerBuilder instance(String id) {
        instance = id;
        return this;
    }

    /// Sets a name for people, shown in the list of workers.
    public WorkerBuilder name(@Nullable String other) {
        name = other;
        return this;
    }

    /// Sets the kind of program, such as `reviewer`.
    public WorkerBuilder type(String other) {
        type = other;
        return this;
    }

    /// Sets JSON data that is shown with the worker.
    public WorkerBuilder metadata(@Nullable Object other) {
        metadata = other;
        return this;
    }

    /// Sets a listener; by default nothing is reported.
    public WorkerBuilder listener(WorkerListener other) {
        listener = other;
        return this;
    }

    /// Creates and starts the worker.
    public Worker start() {
        var rules = new WorkerPlan.Rules(Objects.requireNonNull(handler, "a worker needs a handler"), listener, lease);
        var identity = new WorkerPlan.Identity(instance, name, type, metadata);
        return new Worker(new WorkerPlan(queue, concurrency, most, waits, identity, rules), transport, puller).start();
    }
}
