package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Counts reported outcomes, and passes all calls to another listener.
record OutcomeCounter(WorkerListener listener, AtomicLong completed, AtomicLong failed) implements WorkerListener {
    @Override
    public void registered(UUID worker) {
        listener.registered(worker);
    }

    @Override
    public void nothingToDo(Runner.QueueEntry queue) {
        listener.nothingToDo(queue);
    }

    @Override
    public void failedUnclaimed(Runner.QueueEntry queue, int jobs) {
        failed.addAndGet(jobs);
        listener.failedUnclaimed(queue, jobs);
    }

    @Override
    public void heldBack(Runner.QueueEntry queue, Instant until) {
        listener.heldBack(queue, until);
    }

    @Override
    public void claimed(Job job) {
        listener.claimed(job);
    }

    @Override
    public void reported(Job job, Outcome outcome) {
        switch (outcome) {
            case Outcome.Completed done -> completed.incrementAndGet();
            case Outcome.Failed broken -> failed.incrementAndGet();
            case Outcome.Released released -> {}
        }
        listener.reported(job, outcome);
    }

    @Override
    public void stopped(Job job, String why) {
        listener.stopped(job, why);
    }

    @Override
    public void trouble(SheafException failure, Duration wait) {
        listener.trouble(failure, wait);
    }

    @Override
    public void unreported(Job job, SheafException failure) {
        listener.unreported(job, failure);
    }
}
