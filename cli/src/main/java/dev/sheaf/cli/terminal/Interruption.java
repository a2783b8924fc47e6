package dev.sheaf.cli.terminal;

import dev.sheaf.client.api.Progress.Step;
import java.util.function.Function;

/// Says what is left where somebody stops a command, by Ctrl-C or by ending its process. The command goes no step
/// further once that was said, so that the sentence stays true. Opened by one command at a time.
public final class Interruption implements AutoCloseable {
    private final Shell shell;
    private final Function<Step, String> left;
    private final Thread hook = new Thread(this::stop, "interruption");
    private Step step = Step.PREPARING;
    private boolean stopped;

    /// @param left the sentence; asked on another thread
    Interruption(Shell shell, Function<Step, String> left) {
        this.shell = shell;
        this.left = left;
    }

    void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Never comes back where the process ends.
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
                interrupted = true; // the end of the process comes before that of the wait
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
        String sentence = Text.showable("sheaf: stopped; " + left.apply(step));
        if (shell.terminal()) {
            shell.say(""); // a line with ^C, or of a bar, stands there
        }
        shell.fail(sentence);
        shell.err().flush();
    }

    /// From here on the command has said itself what it did.
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
