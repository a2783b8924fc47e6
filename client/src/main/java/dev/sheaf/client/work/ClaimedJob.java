package dev.sheaf.client.work;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.pull.Pull;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Execution;
import dev.sheaf.model.wire.queue.Job;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A job that this worker holds, while its handler works on it. Thread-safe.
public final class ClaimedJob {
    private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int LAST_PERCENT = 100;

    private final Claim claim;
    private final RunnerCalls calls;
    private final Pull puller;
    private final AtomicLong nextProgress = new AtomicLong(System.nanoTime());

    ClaimedJob(Claim claim, RunnerCalls calls, Pull puller) {
        this.claim = claim;
        this.calls = calls;
        this.puller = puller;
    }

    /// The job as it was when it was claimed.
    public Job job() {
        return claim.job();
    }

    /// All that the registry said with it.
    public Claim claim() {
        return claim;
    }

    /// What is to be done, with everything filled in; empty where the queue has no instruction.
    public String instruction() {
        var execution = claim.execution();
        return execution == null ? "" : execution.renderedInstruction();
    }

    /// The bundle to use, pinned by its digest.
    public Optional<Execution.Bundle> bundle() {
        return Optional.ofNullable(claim.execution()).map(Execution::bundle);
    }

    /// Writes the job's bundle to a folder, by the token of this job where it has one. Content that the cache holds
    /// is not fetched again; all of it is verified.
    ///
    /// @param target made if it is missing
    /// @throws SheafException as the pull of a client does; `InvalidRequest` where the job has no bundle
    public Pulled pull(Path target) {
        var bundle = bundle().orElseThrow(() -> new SheafException.InvalidRequest("the job has no bundle"));
        var reference = Reference.parse(bundle.ref().replaceFirst("[:@].*", "") + "@" + bundle.digest());
        var token = bundle.token();
        var own = token == null ? puller : puller.as(new Token(Secret.of(token), bundle.digest()));
        return own.run(reference, target, PullOptions.DEFAULT);
    }

    /// The token of one job. Every job has another one, but they all give the same content: what the cache keeps
    /// for
    /// one of them will do for the next with the same digest.
    private record Token(Secret token, String digest) implements Bearer {
        @Override
        public String identity() {
            return Digest.sha256(("sheaf job " + digest).getBytes(StandardCharsets.UTF_8))
                    .hex();
        }
    }

    /// Tells how far the work is, which is shown with the job. At most once a second; what comes sooner is left
    /// out,
    /// but for 100 percent. That it cannot be told is no failure.
    ///
    /// @param percent 0 to 100, or null
    /// @param message a short text for people, or null
    public void progress(@Nullable Integer percent, @Nullable String message) {
        long now = System.nanoTime();
        long next = nextProgress.get();
        boolean last = percent != null && percent == LAST_PERCENT;
        if (!last && (now - next < 0 || !nextProgress.compareAndSet(next, now + PROGRESS_NANOS))) {
            return;
        }
        try {
            calls.progress(claim.job(), percent, message);
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            // the work is worth more than the news of it
        }
    }
}
