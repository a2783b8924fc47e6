package dev.sheaf.cli.work;

import dev.sheaf.cli.queue.JobText;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.work.Outcome;
import dev.sheaf.client.work.WorkerListener;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Prints the outcome of each job, and reports failures. Thread-safe.
record WorkReport(Output output) implements WorkerListener {
    /// The line that is printed for each job.
    ///
    /// @param outcome `completed`, `failed`, `released` or `stopped`
    /// @param status the state of the job after a failed try: `scheduled`, `failed` or `dead`
    private record Line(
            UUID id,
            String outcome,
            @Nullable String code,
            @Nullable String message,
            @Nullable String status) {}

    @Override
    public void registered(UUID worker) {
        output.say("works as " + worker + "; Ctrl-C ends it");
    }

    @Override
    public void nothingToDo(Runner.QueueEntry queue) {
        output.say(
                "paused".equals(queue.status())
                        ? "the queue is paused; to resume it: sheaf queue resume " + queue.slug()
                        : "there are no jobs to do");
    }

    @Override
    public void failedUnclaimed(Runner.QueueEntry queue, int jobs) {
        output.fail(TextFormat.count(jobs, "job")
                + " failed before a try, because the version of the bundle does not exist;"
                + " to see why: sheaf jobs list " + queue.slug() + " --error bundle_gone");
    }

    @Override
    public void heldBack(Runner.QueueEntry queue, Instant until) {
        output.say("the queue has jobs that this key returned; it gets the first of them at " + TextFormat.time(until)
                + "; another key gets them at once");
    }

    @Override
    public void reported(Job job, Outcome outcome) {
        switch (outcome) {
            case Outcome.Completed _ -> print(new Line(job.id(), "completed", null, null, null), "completed", "");
            case Outcome.Failed failed ->
                print(
                        new Line(job.id(), "failed", failed.code(), failed.message(), job.status()),
                        "dead".equals(job.status()) ? "dead" : "failed",
                        next(job));
            case Outcome.Released _ -> print(new Line(job.id(), "released", null, null, null), "released", "");
        }
    }

    private static String next(Job job) {
        String number = "try " + job.attemptNumber() + " of " + job.maxAttempts();
        return switch (job.status()) {
            case "scheduled", "queued" -> " (" + number + ", another follows)";
            case "dead" -> " (" + number + ", the last)";
            default -> "";
        };
    }

    @Override
    public void stopped(Job job, String why) {
        print(new Line(job.id(), "stopped", null, why, null), "stopped", "");
    }

    /// @param word the outcome in a word for people
    private synchronized void print(Line line, String word, String next) {
        String why = (line.code() == null ? "" : " " + line.code()) + JobText.detail(line.message());
        output.line(line, word + "  " + line.id() + why + next, line.outcome() + " " + line.id());
    }

    @Override
    public void trouble(SheafException failure, Duration wait) {
        output.say("the registry cannot be asked for jobs (" + TextFormat.showable(String.valueOf(failure.getMessage()))
                + "); trying again in " + Math.max(1, wait.toSeconds()) + " s");
    }

    @Override
    public void unreported(Job job, SheafException failure) {
        output.fail(
                "the result of the job " + job.id() + " could not be sent to the registry: " + failure.getMessage());
    }
}
