package dev.sheaf.client.folder;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Changes several files below a folder, all or none, even if the machine stops in between. The new and the old
/// contents are first stored in a [RewriteJournal]. Once it is complete, the changes are carried out; if they are
/// interrupted, the next process continues. A step is only carried out if its place has not changed since the
/// journal was written. So steps can be repeated, and edits by the user are not lost.
///
/// Use an instance from one thread, while no other process is working in the folder.
public final class FolderRewrite {
    /// A change.
    ///
    /// @param path the path relative to the folder, with `/` between its segments
    public record Step(String path, PathState before, PathState after) {
        private Step back() {
            return new Step(path, after, before);
        }

        private boolean removes() {
            return after instanceof PathState.Nothing;
        }
    }

    /// The source of the contents of new files.
    public interface Source {
        /// Writes the content with this digest.
        void copy(Digest digest, OutputStream out) throws IOException;
    }

    private final TargetFolder folder;
    private final RewriteJournal journal;
    private final Predicate<String> allowed;
    private final Progress progress;
    private final Consumer<String> probe;

    /// @param allowed accepts the paths that may be changed, since the journal is not trusted
    /// @param probe called before each step, so that a test can end the process there
    public FolderRewrite(TargetFolder folder, Predicate<String> allowed, Progress progress, Consumer<String> probe) {
        this.folder = folder;
        this.journal = new RewriteJournal(folder);
        this.allowed = allowed;
        this.progress = progress;
        this.probe = probe;
    }

    /// Returns whether changes were begun in the folder and not finished.
    public static boolean isUnfinished(TargetFolder folder) throws IOException {
        return new RewriteJournal(folder).exists();
    }

    /// Finishes the changes of an interrupted process: if the journal is complete, they are carried out,
    /// otherwise they are dropped.
    ///
    /// @throws SheafException.Local if the journal is invalid
    public void recover() throws IOException {
        var steps = journal.read();
        if (!steps.isEmpty()) {
            steps.forEach(this::check);
            progress.step(Progress.Step.CHANGING);
            carryOut(steps);
            progress.notice("finished an earlier change that was interrupted");
        }
        journal.remove();
    }

    /// Carries out the steps.
    ///
    /// @throws SheafException.Conflict if a file has changed since `before` was determined; nothing is changed
    /// @throws SheafException.Local if a link or another obstacle is in the way; nothing is changed
    public void run(List<Step> wanted, Source source) throws IOException {
        var steps = wanted.stream()
                .filter(step -> !step.before().equals(step.after()))
                .sorted(Comparator.comparing((Step step) -> !step.removes()))
                .toList();
        if (steps.isEmpty()) {
            return;
        }
        steps.forEach(this::check);
        try {
            gather(steps, source);
            journal.write(steps);
        } catch (IOException | RuntimeException e) {
            journal.remove();
            throw e;
        }
        carryOut(steps);
        journal.remove();
    }

    private void check(Step step) {
        if (!allowed.test(step.path()) || !isAllowed(folder.place(step.path()), step.after())) {
            throw new SheafException.Local(
                    step.path() + " is not a path that this program writes to; " + journal.place()
                            + " was not written by it: remove it",
                    null);
        }
    }

    /// Returns whether a state is allowed at a place. A link must point to another place that may be changed.
    private boolean isAllowed(Path place, PathState standing) {
        if (!(standing instanceof PathState.Link link) || place.getParent() == null) {
            return true;
        }
        Path to = place.getParent().resolve(link.to()).normalize();
        return to.startsWith(folder.root())
                && allowed.test(folder.root().relativize(to).toString().replace('\\', '/'));
    }

    private void gather(List<Step> steps, Source source) throws IOException {
        var removed = new HashSet<Path>();
        steps.stream().filter(Step::removes).forEach(step -> removed.add(folder.place(step.path())));
        for (Step step : steps) {
            probe.accept("gather " + step.path());
            Path place = folder.place(step.path());
            Path obstacle = folder.obstacle(place);
            if (obstacle != null && !removed.contains(obstacle)) {
                throw TargetFolder.inTheWay(obstacle);
            }
            if (step.after() instanceof PathState.File file) {
                journal.keep(file.digest(), out -> source.copy(file.digest(), out));
            }
            if (step.before() instanceof PathState.File file) {
                journal.keep(file.digest(), out -> copy(place, out));
            }
            if (!step.before().standsAt(place)) {
                throw new SheafException.Conflict(
                        place + " was changed during the operation; nothing was written, so try again",
                        SheafException.Answer.NONE);
            }
        }
        probe.accept("journal");
    }

    private static void copy(Path place, OutputStream out) throws IOException {
        try (var in = Files.newInputStream(place, LinkOption.NOFOLLOW_LINKS)) {
            in.transferTo(out);
        }
    }

    /// Carries out all steps, or none if that is impossible. Uses a thread that is never interrupted: the work
    /// is short, and an interrupt would close files while they are written.
    private void carryOut(List<Step> steps) throws IOException {
        var task = new FutureTask<Boolean>(() -> {
            takeAll(steps);
            return true;
        });
        Thread.ofPlatform().name("sheaf-rewrite").start(task);
        boolean interrupted = false;
        while (true) {
            try {
                task.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException failure) {
                    throw failure;
                }
                throw e.getCause() instanceof RuntimeException failure
                        ? failure
                        : new IllegalStateException(e.getCause());
            } finally {
                if (interrupted && task.isDone()) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void takeAll(List<Step> steps) throws IOException {
        try {
            for (Step step : steps) {
                probe.accept("take " + step.path());
                take(step);
            }
            probe.accept("end");
        } catch (IOException | SheafException e) {
            undo(steps, e);
            throw e;
        }
    }

    /// Returns the folder of a program, such as `.claude`. It is not removed, since it shows that the program
    /// is used.
    private Path top(Path place) {
        return folder.root().resolve(folder.root().relativize(place).getName(0));
    }

    private void undo(List<Step> steps, Exception why) throws IOException {
        var back = new ArrayList<Step>();
        steps.reversed().forEach(step -> back.add(step.back()));
        try {
            for (Step step : back) {
                take(step);
            }
        } catch (IOException | SheafException e) {
            why.addSuppressed(e);
            progress.notice("the change in " + folder.root() + " could be neither finished nor undone; "
                    + journal.place() + " contains the remaining steps, and the next run continues");
            return;
        }
        journal.remove();
    }

    private void take(Step step) throws IOException {
        Path place = folder.place(step.path());
        Path obstacle = folder.obstacle(place);
        if (obstacle != null && step.removes()) {
            return; // already removed
        }
        if (obstacle != null) {
            throw TargetFolder.inTheWay(obstacle);
        }
        if (step.after().standsAt(place)) {
            return;
        }
        if (!step.before().standsAt(place)) {
            progress.notice(place + " is kept: it was changed in the meantime");
            return;
        }
        switch (step.after()) {
            case PathState.Nothing nothing -> folder.remove(place, top(place));
            case PathState.File file -> {
                Path fresh = journal.copy(file);
                if (file.executable() == null && TargetFolder.isFile(place)) {
                    FileModes.keep(place, fresh);
                }
                folder.move(fresh, place);
            }
            case PathState.Link link -> folder.move(journal.link(link), place);
            case PathState.Other other -> throw TargetFolder.inTheWay(place);
        }
        DiskFailures.sync(place.getParent());
    }
}
