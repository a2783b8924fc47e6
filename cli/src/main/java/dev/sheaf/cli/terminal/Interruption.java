package dev.sheaf.cli.terminal;

import dev.sheaf.client.api.Progress.Step;
import java.util.function.Function;

/// Reports the state that a command leaves when Ctrl-C or a signal stops it. The command then takes no further
/// step, so that the report stays true. One command at a time opens it.
public final class Interruption implements AutoCloseable {
    private final Shell shell;
    private final Function<Step, String> left;
    private final Thread hook = new Thread(this::stop, "interruption");
    private Step step = Step.PREPARING;
    private boolean stopped;

    /// @param left returns the report after a step; called on another thread
    Interruption(Shell shell, Function<Step, String> left) {
        this.shell = shell;
        this.left = left;
    }

    void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Records that the command begins a step. Does not return if the process is ending.
    synchronized void reach(Step next) {
        awaitEnd();
        step = next;
    }

    private void awaitEnd() {
        boolean interrupted = false;
        while (stopped) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true; // usually the process ends before the wait does
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void stop() {
        stopped = true;
        String sentence = TextFormat.showable("sheaf: stopped; " + left.apply(step));
        if (shell.terminal()) {
            shell.say(""); // ends the line with ^C or a bar
        }
        shell.fail(sentence);
        shell.err().flush();
    }

    /// Ends this when the command has reported its own result.
    @Override
    public synchronized void close() {
        awaitEnd();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            stopped = true; // the process ends, and the hook is about to run
            awaitEnd();
        }
    }
}
