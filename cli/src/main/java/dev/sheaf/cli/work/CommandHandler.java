package dev.sheaf.cli.work;

import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.work.ClaimedJob;
import dev.sheaf.client.work.JobHandler;
import dev.sheaf.client.work.Outcome;
import dev.sheaf.client.work.StoppedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs the command for jobs. Thread-safe.
///
/// @param command the program with its absolute path, and its arguments
/// @param told the names that were already reported
record CommandHandler(
        List<String> command, WorkPlace place, RunningCommand.Means means, Surroundings surroundings, Set<String> told)
        implements JobHandler {
    /// Settings of a command that do not depend on its job.
    ///
    /// @param own the worker's variables
    /// @param url the registry's address
    /// @param environment the variables that a queue may add
    /// @param notices receives notes for the owner of the worker
    record Surroundings(Map<String, String> own, String url, JobEnvironment environment, Consumer<String> notices) {}

    /// The exit status for wrong input, EX_DATAERR in sysexits.h.
    private static final int WRONG_INPUT = 65;
    /// The exit status for a later try, EX_TEMPFAIL in sysexits.h.
    private static final int LATER = 75;

    CommandHandler(List<String> command, WorkPlace place, RunningCommand.Means means, Surroundings surroundings) {
        this(command, place, means, surroundings, ConcurrentHashMap.newKeySet());
    }

    @Override
    public Outcome handle(ClaimedJob job) throws InterruptedException {
        var folder = place.folder().resolve(job.job().id() + "-" + job.job().attemptNumber());
        try {
            place.job(folder.getFileName().toString());
            var files = JobFiles.write(folder, job);
            if (files.bundle() != null) {
                var failure = pulled(job, files);
                if (failure != null) {
                    return failure;
                }
            }
            return run(job, files);
        } catch (IOException e) {
            surroundings
                    .notices()
                    .accept("the job " + job.job().id() + " goes back to its queue, because this machine"
                            + " cannot work on it: " + e.getMessage());
            return Outcome.released();
        } finally {
            place.delete(folder.getFileName().toString());
        }
    }

    private @Nullable Outcome pulled(ClaimedJob job, JobFiles files) throws InterruptedException {
        try {
            job.pull(Objects.requireNonNull(files.bundle()));
            return null;
        } catch (SheafException.Cancelled e) {
            throw new InterruptedException();
        } catch (SheafException.Local e) {
            surroundings.notices().accept("the job " + job.job().id() + " goes back to its queue: " + e.getMessage());
            return Outcome.released();
        } catch (SheafException.NotFound | SheafException.UnsafePaths | SheafException.InvalidRequest e) {
            return Outcome.failedForGood("bundle_error", e.getMessage());
        } catch (SheafException e) {
            return Outcome.failed("bundle_error", e.getMessage());
        }
    }

    private Outcome run(ClaimedJob job, JobFiles files) throws IOException, InterruptedException {
        var execution = job.claim().execution();
        var directory = files.directory(execution == null ? null : execution.workingDirectory());
        if (directory == null) {
            return Outcome.failedForGood(
                    "working_directory", "the queue's working directory is not a folder of the bundle");
        }
        reportRefused(job);
        var running = RunningCommand.start(
                command,
                directory,
                files.instruction(),
                surroundings.environment().of(job, files, surroundings.own(), surroundings.url()),
                JobEnvironment.mark(files),
                means);
        int status = await(running);
        return switch (status) {
            case 0 -> files.outcome(running.output());
            case LATER -> Outcome.released();
            case WRONG_INPUT -> failed(status, running, false);
            default -> failed(status, running, true);
        };
    }

    /// Reports the names that are left out, each once.
    private void reportRefused(ClaimedJob job) {
        var refused = surroundings.environment().refused(job).stream()
                .filter(told::add)
                .sorted()
                .toList();
        if (refused.isEmpty()) {
            return;
        }
        var passable = refused.stream().filter(JobEnvironment::canBePassed).toList();
        surroundings
                .notices()
                .accept("some variables of the queue are left out, because they may decide which code runs: "
                        + TextFormat.showable(String.join(", ", refused))
                        + (passable.isEmpty() ? "" : "; to pass them: --env " + String.join(" --env ", passable)));
    }

    private static int await(RunningCommand running) throws InterruptedException {
        try {
            return running.await();
        } catch (InterruptedException e) {
            var stopped = new StoppedException(running.said());
            stopped.initCause(e);
            throw stopped;
        }
    }

    private static Outcome failed(int status, RunningCommand running, boolean retry) {
        String message = running.said();
        return new Outcome.Failed("exit_" + status, message.isEmpty() ? null : message, null, retry);
    }
}
