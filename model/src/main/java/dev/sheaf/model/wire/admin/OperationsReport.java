package dev.sheaf.model.wire.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a node and its installation do now and have done lately, for those who run it. Requests, processor,
/// memory and disk are those of the node that answers; jobs and deliveries are those of the installation.
///
/// @param release the version of the program
/// @param startedAt when the node started; it has no samples from before
/// @param nodes how many nodes run
/// @param running the nodes that run, by name, at most 100; those of an older program are missing
/// @param disk the disk of the node's data directory
/// @param jobsWaiting jobs of all queues that a worker can claim; null if the database did not answer
/// @param queues the queues with the most waiting jobs, at most ten
/// @param deliveriesWaiting deliveries of webhooks that are tried again later, counted up to 10,000; null
/// if the database did not answer
/// @param webhooks webhooks that fail now, those that fail longest first, at most ten
/// @param tasks when each task last ended, by name
/// @param contentCheckedSince all stored content was compared with its digests since then; null if there is
/// none or the database did not answer
/// @param settings the settings that are not the default; values of secrets are hidden
/// @param span `hour`, `day` or `month`
/// @param samples the measurements of that span, the oldest first: one a minute, every 15 minutes, or an
/// hour
public record OperationsReport(
        String release,
        Instant startedAt,
        long nodes,
        List<Node> running,
        NodeHealth health,
        Disk disk,
        @Nullable Long jobsWaiting,
        List<QueueDepth> queues,
        @Nullable Long deliveriesWaiting,
        List<FailingWebhook> webhooks,
        List<TaskEnd> tasks,
        @Nullable Instant contentCheckedSince,
        List<ChangedSetting> settings,
        String span,
        List<Sample> samples) {
    public OperationsReport {
        running = List.copyOf(running);
        queues = List.copyOf(queues);
        webhooks = List.copyOf(webhooks);
        tasks = List.copyOf(tasks);
        settings = List.copyOf(settings);
        samples = List.copyOf(samples);
    }

    /// A node as it saw itself in the last minute.
    ///
    /// @param name the name of its machine
    /// @param program the version of the program
    /// @param requests requests per minute; null in its first minute
    /// @param cpuPercent its part of the machine's processors; null in its first minute
    /// @param heapUsed bytes
    /// @param heapMax the most bytes that its heap may have
    public record Node(
            String name,
            String program,
            Instant startedAt,
            @Nullable Long requests,
            @Nullable Integer cpuPercent,
            long heapUsed,
            long heapMax) {}

    /// @param reserved the free space below which content is refused, in bytes
    /// @param growthPerDay how many bytes more are used each day, from the samples of the last month; null
    /// if they cover less than six hours
    public record Disk(
            long total, long free, long reserved, @Nullable Long growthPerDay) {}

    /// A queue.
    ///
    /// @param organization its handle
    /// @param queue its slug
    public record QueueDepth(String organization, String queue, long waiting) {}

    /// A webhook whose deliveries fail.
    ///
    /// @param organization its handle
    /// @param host the host of its address
    /// @param failures failed attempts since then
    public record FailingWebhook(String organization, String host, Instant since, long failures) {}

    /// When a task last ended on any node. A recurring task that runs by itself is not included.
    ///
    /// @param succeededAt null if it has not succeeded among the kept runs
    /// @param failedAt null if it has not failed among the kept runs
    public record TaskEnd(
            String task,
            @Nullable Instant succeededAt,
            @Nullable Instant failedAt) {}

    /// A setting whose value is not the default.
    ///
    /// @param source where the value comes from, such as `environment SHEAF_PORT`
    public record ChangedSetting(String name, String value, String source) {}

    /// One measurement. Members that could not be measured are null, never 0.
    ///
    /// @param at the end of the time that it covers
    /// @param seconds the length of that time
    /// @param requests requests per minute
    /// @param errors requests per minute that the server answered with a status of 500 or more
    /// @param medianMs half of the requests were faster, in milliseconds; null if there was none
    /// @param p99Ms 99 of 100 requests were faster, in milliseconds
    /// @param jobsWaiting waiting jobs at that moment
    /// @param deliveriesWaiting deliveries that wait for another attempt at that moment
    /// @param diskUsed used bytes of the disk
    /// @param cpu the share of all processors that the node used, from 0 to 1
    /// @param heapUsed used bytes of the heap, with those that the next collection frees
    public record Sample(
            Instant at,
            long seconds,
            @Nullable Double requests,
            @Nullable Double errors,
            @Nullable Double medianMs,
            @Nullable Double p99Ms,
            @Nullable Long jobsWaiting,
            @Nullable Long deliveriesWaiting,
            @Nullable Long diskUsed,
            @Nullable Double cpu,
            @Nullable Long heapUsed) {}
}
