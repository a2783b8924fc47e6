package dev.sheaf.client.work;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.pull.BundlePull;
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

/// A job that this worker holds while its handler works on it. Thread-safe.
public final class ClaimedJob {
    private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int LAST_PERCENT = 100;

    private final Claim claim;
    private final RunnerCalls calls;
    private final BundlePull puller;
    private final AtomicLong nextProgress = new AtomicLong(System.nanoTime());

    ClaimedJob(Claim claim, RunnerCalls calls, BundlePull puller) {
        this.claim = claim;
        this.calls = calls;
        this.puller = puller;
    }

    /// Returns the job as it was when it was claimed.
    public Job job() {
        return claim.job();
    }

    /// Returns the whole answer to the claim.
    public Claim claim() {
        return claim;
    }

    /// Returns the rendered instruction; empty if the queue has no instruction.
    public String instruction() {
        var execution = claim.execution();
        return execution == null ? "" : execution.renderedInstruction();
    }

    /// Returns the bundle to use, pinned by its digest.
    public Optional<Execution.Bundle> bundle() {
        return Optional.ofNullable(claim.execution()).map(Execution::bundle);
    }

    /// Writes the job's bundle to a folder, with this job's token if it has one. Cached content is not fetched
    /// again; all content is verified.
    ///
    /// @param target created if it does not exist
    /// @throws SheafException in the same cases as a client's pull; `InvalidRequest` if the job has no bundle
    public Pulled pull(Path target) {
        var bundle = bundle().orElseThrow(() -> new SheafException.InvalidRequest("the job has no bundle"));
        var reference = Reference.parse(bundle.ref().replaceFirst("[:@].*", "") + "@" + bundle.digest());
        var token = bundle.token();
        var own = token == null ? puller : puller.as(new Token(Secret.of(token), bundle.digest()));
        return own.run(reference, target, PullOptions.DEFAULT);
    }

    /// The token of one job. Each job has a different token, but the content only depends on the digest, so
    /// jobs with the same digest share cached answers.
    private record Token(Secret token, String digest) implements Bearer {
        @Override
        public String identity() {
            return Digest.sha256(("sheaf job " + digest).getBytes(StandardCharsets.UTF_8))
                    .hex();
        }
    }

    /// Reports the progress, which is shown with the job. A report less than a second after the last one is
    /// dropped, unless it is 100 percent. A failure to report is ignored.
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
            // the work matters more than its progress report
        }
    }
}
