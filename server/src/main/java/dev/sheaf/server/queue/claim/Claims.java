package dev.sheaf.server.queue.claim;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Execution;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.HeldClaim;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.PromptReader;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import dev.sheaf.server.queue.job.JobWire;
import dev.sheaf.server.queue.job.Jobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;

/// Hands out jobs to workers. Thread-safe.
public final class Claims {
    private static final int LOOKS = 50;
    private static final int TRIES = 10; // if the bundles of all claimed jobs were deleted

    private final Database database;
    private final PromptReader prompts;
    private final JobExecutions executions;
    private final BundleTokens tokens;
    private final ClaimLeases leases;
    private final JobClock clock;
    private final GoneBundles gone;
    private volatile LongConsumer waits = nanos -> {};
    private final WaitingClaims waiters = new WaitingClaims();
    private final Cache<UUID, Long> served = Caffeine.newBuilder()
            .maximumSize(HeapShare.FEEDS.entries(3, 50 + HeapShare.ENTRY))
            .build();

    /// Makes tokens that can pull the bundle of a job, and nothing else.
    public interface BundleTokens {
        /// @param caller the holder of the job
        /// @param claim the claim with which the token ends
        Optional<Secret> issue(Caller.Known caller, Reference pinned, HeldClaim claim);
    }

    public Claims(
            Database database,
            PromptReader prompts,
            JobExecutions executions,
            BundleTokens tokens,
            ClaimLeases leases,
            JobClock clock) {
        this.database = database;
        this.prompts = prompts;
        this.executions = executions;
        this.tokens = tokens;
        this.leases = leases;
        this.clock = clock;
        this.gone = new GoneBundles(database);
    }

    /// Begins to notify waiting claims.
    public void begin() {
        database.onChange(change -> {
            if (change.kind() == DataChange.Kind.QUEUE) {
                var bell = JobSignal.decode(change.id());
                if (bell != null) {
                    waiters.ring(bell);
                } else {
                    waiters.ringAll();
                }
            } else if (change.kind() == DataChange.Kind.EVERYTHING) {
                waiters.ringAll();
            }
        });
    }

    /// Makes `by` receive how long each claimed job was ready, in nanoseconds.
    public void measured(LongConsumer by) {
        waits = by;
    }

    /// Returns how many claims wait for a job on this node.
    public int waiting() {
        return waiters.count();
    }

    /// Ends all waiting claims, and refuses new ones.
    public void leave() {
        waiters.stop();
    }

    /// Returns a waiter, which must be closed. It wakes up when a job for the request may be ready.
    public WaitingClaims.Waiter waiter(Caller.Known caller, ClaimRequest request) {
        return waiters.join(JobHolder.of(caller), caller.organizationId(), request.habitatId(), request.queueId());
    }

    /// Returns whether jobs wait in a queue, but the caller may not get them: it has released a job there, does
    /// not see the queue, or belongs to another organization.
    public boolean isForOthers(Caller.Known caller, UUID queue) {
        return database.read(tx -> ClaimRows.isReady(tx, queue)
                && QueueRows.find(tx, caller.organizationId(), queue)
                        .map(row -> !QueueSight.sees(caller, row) || HiddenRows.hasAny(tx, queue, JobHolder.of(caller)))
                        .orElse(true));
    }

    /// Returns when the caller can get a job again that it has released; empty if there is no such job.
    public Optional<Instant> nextHidden(Caller.Known caller) {
        return database.read(tx -> HiddenRows.next(tx, JobHolder.of(caller)));
    }

    /// Returns when the caller may again get a waiting job of this queue that it released; empty if there is no
    /// such job.
    public Optional<Instant> heldBack(Caller.Known caller, UUID queue) {
        return database.read(tx -> HiddenRows.heldBack(tx, queue, JobHolder.of(caller)));
    }

    /// Returns the time of the database.
    public Instant now() {
        return database.now();
    }

    /// A job that was handed out.
    ///
    /// @param number the number of the claim of this job
    /// @param length the length of its content and of its rendered instruction
    public record Handed(UUID organization, UUID job, int number, Claim claim, long length) {}

    /// The result of a claim.
    ///
    /// @param failed how many jobs failed on the way, because their bundle is gone
    public record Result(List<Handed> jobs, int failed) {}

    /// Claims jobs that are ready, up to the requested number, or fewer if their content is long.
    ///
    /// @param host the registry's host name for clients
    /// @throws ProblemException not-found if the queue or habitat does not exist, or the caller did not
    /// register the worker
    public Result take(Caller.Known caller, ClaimRequest request, String host) {
        int most = request.max() == null ? 1 : request.max();
        int failed = 0;
        for (int i = 0; i < TRIES; i++) {
            var claimed = claimed(caller, request, most);
            if (claimed.isEmpty()) {
                break;
            }
            claimed.forEach(this::noted);
            var result = handOut(caller, claimed, host);
            failed += result.failed();
            if (!result.jobs().isEmpty()) {
                return new Result(result.jobs(), failed);
            }
        }
        return new Result(List.of(), failed);
    }

    /// Skips jobs that wait for their concurrency key, in several short transactions. Notifies the next waiting
    /// claim of queues that were not read to the end.
    private List<ClaimTransaction.Claimed> claimed(Caller.Known caller, ClaimRequest request, int most) {
        int looks = 0;
        while (true) {
            var taken = database.write(tx -> new ClaimTransaction(tx, caller, request).take(most, this::served));
            looks++;
            if (!taken.jobs().isEmpty() || taken.unseen().isEmpty() || looks == LOOKS) {
                taken.unseen().forEach(queue -> waiters.ring(JobSignal.of(queue)));
                return taken.jobs();
            }
        }
    }

    private long served(UUID queue) {
        var at = served.getIfPresent(queue);
        return at == null ? Long.MIN_VALUE : at;
    }

    private void noted(ClaimTransaction.Claimed claimed) {
        served.put(claimed.queue().id(), System.nanoTime());
        waits.accept(claimed.waited().toNanos());
        var deadline = claimed.job().hold().deadlineAt();
        if (deadline != null) {
            clock.expect(deadline);
        }
        waiters.ring(JobSignal.of(claimed.queue())); // there may be another job for another claim
    }

    /// Hands out as many jobs as fit into one answer, and takes back the rest.
    private Result handOut(Caller.Known caller, List<ClaimTransaction.Claimed> claimed, String host) {
        int failed = 0;
        var handed = new ArrayList<Handed>();
        for (int i = 0; i < claimed.size(); i++) {
            try {
                if (handed.stream().mapToLong(Handed::length).sum() >= Jobs.MOST_BYTES) {
                    claimed.subList(i, claimed.size()).forEach(its -> takeBack(its.job()));
                    return new Result(handed, failed);
                }
                var one = handOut(caller, claimed.get(i), host);
                one.ifPresent(handed::add);
                failed += one.isPresent() ? 0 : 1;
            } catch (RuntimeException e) { // the caller gets none of the jobs
                handed.forEach(this::takeBack);
                claimed.subList(i, claimed.size()).forEach(its -> takeBack(its.job()));
                throw e;
            }
        }
        return new Result(handed, failed);
    }

    /// Hands out a job. If its bundle or the bundle of its instruction was deleted, fails the job and returns
    /// empty.
    private Optional<Handed> handOut(Caller.Known caller, ClaimTransaction.Claimed claimed, String host) {
        try {
            return told(caller, claimed, host);
        } catch (PromptReader.BundleGoneException e) {
            gone.fail(claimed, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<Handed> told(Caller.Known caller, ClaimTransaction.Claimed claimed, String host) {
        var job = claimed.job();
        String named = job.bundle() == null ? claimed.queue().bundle() : job.bundle();
        if (named == null) {
            return Optional.of(handed(job, executions.of(claimed, JobWire.show(job), null)));
        }
        var reference = Reference.parse(named);
        var digest = job.bundleDigest();
        var selector = digest == null ? reference.selector() : new VersionSelector.ByDigest(digest);
        var found = prompts.digest(job.organizationId(), reference.repository(), selector);
        if (found.isEmpty()) {
            gone.fail(claimed, GoneBundles.why(reference, digest));
            return Optional.empty();
        }
        var pinned = digest == null ? pinned(job, found.get()) : job;
        var bundle = bundle(
                caller,
                named,
                new Reference(reference.repository(), new VersionSelector.ByDigest(found.get())),
                host,
                job);
        return Optional.of(handed(pinned, executions.of(claimed, JobWire.show(pinned), bundle)));
    }

    private static Handed handed(JobRow job, Claim claim) {
        return new Handed(job.organizationId(), job.id(), job.claims(), claim, length(job, claim));
    }

    private static long length(JobRow job, Claim claim) {
        var execution = claim.execution();
        var instruction = claim.instruction();
        return job.content().length()
                + (execution == null ? 0 : execution.renderedInstruction().length())
                + (instruction == null ? 0 : instruction.instruction().length());
    }

    private JobRow pinned(JobRow job, Digest digest) {
        return database.write(tx -> {
            JobRows.pin(tx, job.id(), digest);
            return JobRows.find(tx, job.organizationId(), job.id()).orElseThrow();
        });
    }

    private Execution.Bundle bundle(Caller.Known caller, String named, Reference pinned, String host, JobRow job) {
        var token = tokens.issue(caller, pinned, new HeldClaim(job.organizationId(), job.id(), job.claims()));
        String digest =
                pinned.toString().substring(pinned.repository().toString().length() + 1);
        return new Execution.Bundle(
                named,
                digest,
                host + "/" + pinned,
                token.map(Secret::expose).orElse(null),
                token.isPresent() ? job.hold().deadlineAt() : null);
    }

    /// Takes back a job whose answer did not arrive.
    public void takeBack(Handed handed) {
        leases.takeBack(handed.organization(), handed.job(), handed.number());
    }

    private void takeBack(JobRow job) {
        leases.takeBack(job.organizationId(), job.id(), job.claims());
    }
}
