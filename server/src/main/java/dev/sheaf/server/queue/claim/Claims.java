package dev.sheaf.server.queue.claim;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Selector;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Execution;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.queue.Bell;
import dev.sheaf.server.queue.Prompts;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.job.AttemptRows;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import dev.sheaf.server.queue.job.JobWire;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Hands out jobs. Thread-safe.
public final class Claims {
    private static final int QUEUES = 10_000;
    private static final int LOOKS = 50;
    private static final int TRIES = 10; // while the bundles of jobs are gone

    private final Database database;
    private final Prompts prompts;
    private final Executions executions;
    private final BundleTokens tokens;
    private final Leases leases;
    private final JobClock clock;
    private final Waiters waiters = new Waiters();
    private final Cache<UUID, Long> served =
            Caffeine.newBuilder().maximumSize(QUEUES).build();

    /// Makes what pulls the bundle of a job, and nothing else.
    public interface BundleTokens {
        /// @param caller who holds the job
        /// @param until when it ends at the latest
        Optional<Token> issue(Caller.Known caller, Reference pinned, Instant until);
    }

    /// @param text secret
    public record Token(String text, Instant endsAt) {
        @Override
        public String toString() {
            return "Token[" + endsAt + "]";
        }
    }

    public Claims(
            Database database,
            Prompts prompts,
            Executions executions,
            BundleTokens tokens,
            Leases leases,
            JobClock clock) {
        this.database = database;
        this.prompts = prompts;
        this.executions = executions;
        this.tokens = tokens;
        this.leases = leases;
        this.clock = clock;
    }

    /// Has those who wait told from now on.
    public void begin() {
        database.onChange(change -> {
            if (change.kind() == Change.Kind.QUEUE) {
                var bell = Bell.decode(change.id());
                if (bell != null) {
                    waiters.ring(bell);
                } else {
                    waiters.ringAll();
                }
            } else if (change.kind() == Change.Kind.EVERYTHING) {
                waiters.ringAll();
            }
        });
    }

    /// How many wait for a job on this node.
    public int waiting() {
        return waiters.count();
    }

    /// Lets nobody wait any more.
    public void leave() {
        waiters.stop();
    }

    /// To be closed. It is woken where a job may be there for such a request.
    public Waiters.Waiter waiter(Caller.Known caller, ClaimRequest request) {
        return waiters.join(Holder.of(caller), caller.organizationId(), request.habitatId(), request.queueId());
    }

    /// Whether a job waits in a queue for others than this caller, who has released some of it, or may not see it,
    /// or to whose organization it does not belong.
    public boolean isForOthers(Caller.Known caller, UUID queue) {
        return database.read(tx -> ClaimRows.isReady(tx, queue)
                && QueueRows.find(tx, caller.organizationId(), queue)
                        .map(row -> !QueueSight.sees(caller, row) || HiddenRows.hasAny(tx, queue, Holder.of(caller)))
                        .orElse(true));
    }

    /// When a job that the caller released may be given to it again; empty where there is none.
    public Optional<Instant> nextHidden(Caller.Known caller) {
        return database.read(tx -> HiddenRows.next(tx, Holder.of(caller)));
    }

    /// The database's time.
    public Instant now() {
        return database.now();
    }

    /// A job that was handed out.
    ///
    /// @param number which claim of the job it is
    /// @param length of its contents, and of what was rendered for it
    public record Handed(UUID organization, UUID job, int number, Claim claim, long length) {}

    /// As many jobs as there are, up to those that are asked for; fewer where they are long.
    ///
    /// @param host of the registry, as clients know it
    /// @throws ProblemException not-found where there is no such queue or habitat, or the
    /// caller registered no such worker
    public List<Handed> take(Caller.Known caller, ClaimRequest request, String host) {
        int most = request.max() == null ? 1 : request.max();
        for (int i = 0; i < TRIES; i++) {
            var claimed = claimed(caller, request, most);
            if (claimed.isEmpty()) {
                return List.of();
            }
            claimed.forEach(this::noted);
            var handed = handOut(caller, claimed, host);
            if (!handed.isEmpty()) {
                return handed;
            }
        }
        return List.of();
    }

    /// Looks on, in another transaction each time so that none is long, where jobs that wait for their concurrency
    /// key stand before others. What it leaves is for whoever waits next.
    private List<Claiming.Claimed> claimed(Caller.Known caller, ClaimRequest request, int most) {
        int looks = 0;
        while (true) {
            var taken = database.write(tx -> new Claiming(tx, caller, request).take(most, this::served));
            looks++;
            if (!taken.jobs().isEmpty() || taken.unseen().isEmpty() || looks == LOOKS) {
                taken.unseen().forEach(queue -> waiters.ring(Bell.of(queue)));
                return taken.jobs();
            }
        }
    }

    private long served(UUID queue) {
        var at = served.getIfPresent(queue);
        return at == null ? Long.MIN_VALUE : at;
    }

    private void noted(Claiming.Claimed claimed) {
        served.put(claimed.queue().id(), System.nanoTime());
        var deadline = claimed.job().hold().deadlineAt();
        if (deadline != null) {
            clock.expect(deadline);
        }
        waiters.ring(Bell.of(claimed.queue())); // there may be another one for somebody else
    }

    /// As many as one answer has room for; the rest goes back.
    private List<Handed> handOut(Caller.Known caller, List<Claiming.Claimed> claimed, String host) {
        var handed = new ArrayList<Handed>();
        for (int i = 0; i < claimed.size(); i++) {
            try {
                if (handed.stream().mapToLong(Handed::length).sum() >= Jobs.MOST_BYTES) {
                    claimed.subList(i, claimed.size()).forEach(its -> takeBack(its.job()));
                    return handed;
                }
                handOut(caller, claimed.get(i), host).ifPresent(handed::add);
            } catch (RuntimeException e) { // none of them was told of
                handed.forEach(this::takeBack);
                claimed.subList(i, claimed.size()).forEach(its -> takeBack(its.job()));
                throw e;
            }
        }
        return handed;
    }

    /// Hands a job out. Empty if its bundle, or the bundle of its instruction, is gone: then the job has failed.
    private Optional<Handed> handOut(Caller.Known caller, Claiming.Claimed claimed, String host) {
        try {
            return told(caller, claimed, host);
        } catch (Prompts.BundleGoneException e) {
            failGone(claimed, e.bundle());
            return Optional.empty();
        }
    }

    private Optional<Handed> told(Caller.Known caller, Claiming.Claimed claimed, String host) {
        var job = claimed.job();
        String named = job.bundle() == null ? claimed.queue().bundle() : job.bundle();
        if (named == null) {
            return Optional.of(handed(job, executions.of(claimed, JobWire.show(job), null)));
        }
        var reference = Reference.parse(named);
        var digest = job.bundleDigest();
        var selector = digest == null ? reference.selector() : new Selector.ByDigest(digest);
        var found = prompts.digest(job.organizationId(), reference.repository(), selector);
        if (found.isEmpty()) {
            failGone(claimed, named);
            return Optional.empty();
        }
        var pinned = digest == null ? pinned(job, found.get()) : job;
        var bundle = bundle(
                caller, named, new Reference(reference.repository(), new Selector.ByDigest(found.get())), host, job);
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
        var until = job.hold().deadlineAt() == null
                ? database.now().plus(Duration.ofMinutes(1))
                : job.hold().deadlineAt();
        var token = tokens.issue(caller, pinned, until);
        String digest =
                pinned.toString().substring(pinned.repository().toString().length() + 1);
        return new Execution.Bundle(
                named,
                digest,
                host + "/" + pinned,
                token.map(Token::text).orElse(null),
                token.map(Token::endsAt).orElse(null));
    }

    private void failGone(Claiming.Claimed claimed, String named) {
        var job = claimed.job();
        var failure = new JobRow.Failure(
                "bundle_gone", "the bundle " + named + " is not there any more, or has no such version", null);
        database.write(tx -> {
            JobRows.lock(tx, job.organizationId(), job.id())
                    .filter(row -> row.status().isHeld() && row.claims() == job.claims())
                    .ifPresent(row -> {
                        AttemptRows.end(tx, row, Outcome.FAILED, failure);
                        JobRows.failed(tx, row.id(), failure);
                        Leases.failed(tx, claimed.queue(), row, false);
                    });
            return job;
        });
    }

    /// Takes back what was handed out in an answer that did not arrive.
    public void takeBack(Handed handed) {
        leases.takeBack(handed.organization(), handed.job(), handed.number());
    }

    private void takeBack(JobRow job) {
        leases.takeBack(job.organizationId(), job.id(), job.claims());
    }
}
