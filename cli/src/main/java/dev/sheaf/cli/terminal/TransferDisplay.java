package dev.sheaf.cli.terminal;

import dev.sheaf.client.api.Progress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import me.tongfei.progressbar.InteractiveConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// Shows transfers on standard error: on a terminal a bar for the whole transfer and one for each large file,
/// otherwise a line for each large file that is finished. Shows nothing with `--format quiet`.
public final class TransferDisplay implements Progress {
    /// The widest useful bar.
    private static final int WIDEST = 120;

    /// The columns from which a line has room for the speed.
    private static final int WIDE = 100;

    private static final int LONGEST_NAME = 40;
    private static final long KIB = 1024;

    /// Smaller transfers are over too soon for a bar or a line.
    private static final long SMALLEST = 256 * KIB;

    /// The maximum number of bars, which fit a small window. Further files count only in the first bar.
    private static final int MOST_BARS = 12;

    private final Shell shell;
    private final Output output;
    private int columns;
    private final AtomicInteger bars = new AtomicInteger();

    public TransferDisplay(Shell shell, Output output) {
        this.shell = shell;
        this.output = output;
    }

    private boolean silent() {
        return output.format() == Output.Format.QUIET;
    }

    @Override
    public Transfer begin(Activity activity, String name, long totalBytes) {
        if (silent() || totalBytes < SMALLEST) {
            return NONE.begin(activity, name, totalBytes);
        }
        return shell.terminal()
                ? new Bars(bar((activity == Activity.UPLOAD ? "push " : "pull ") + name, totalBytes), totalBytes)
                : new Lines(activity == Activity.UPLOAD ? "sent " : "fetched ");
    }

    private synchronized int columns() {
        if (columns == 0) {
            columns = Math.min(WIDEST, shell.columns());
        }
        return columns;
    }

    private ProgressBar bar(String name, long bytes) {
        boolean wide = columns() >= WIDE;
        boolean large = bytes >= 10 * KIB * KIB;
        var builder = new ProgressBarBuilder()
                .setTaskName(TextFormat.cut(name, wide ? Math.min(LONGEST_NAME, columns() / 3) : columns() / 4))
                .setInitialMax(bytes)
                .setUnit(large ? " MiB" : " KiB", large ? KIB * KIB : KIB)
                .setUpdateIntervalMillis(100)
                .continuousUpdate() // else the last bytes before a stall are never drawn
                .setStyle(shell.drawsUnicode() ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII)
                .setConsumer(new UntilStopped());
        return (wide ? builder.showSpeed() : builder).build();
    }

    @Override
    public void step(Step step) {
        output.reach(step);
    }

    /// Reports the wait for a registry, unless a bar shows it.
    @Override
    public void waiting(String registry, Duration elapsed) {
        if (bars.get() == 0 && !output.waitsInSilence()) {
            output.say("waiting for " + registry + ", " + elapsed.toSeconds() + " s");
        }
    }

    @Override
    public void notice(String message) {
        output.note(message);
    }

    @Override
    public void hint(String message) {
        output.note(message);
    }

    /// Removes the bar, so that it does not overwrite the last lines.
    private final class UntilStopped extends InteractiveConsoleProgressBarConsumer {
        UntilStopped() {
            super(shell.err(), columns());
        }

        @Override
        public void accept(String drawn) {
            if (!output.isStopped()) {
                super.accept(drawn);
            }
        }
    }

    /// One bar, with the bars of its files below.
    private final class Bars implements Transfer {
        private final ProgressBar whole;
        private final long totalBytes;
        private int drawn = 1;

        Bars(ProgressBar whole, long totalBytes) {
            bars.incrementAndGet();
            this.whole = whole;
            this.totalBytes = totalBytes;
        }

        private synchronized boolean isWorthABar(long bytes) {
            return bytes >= SMALLEST && bytes < totalBytes && ++drawn <= MOST_BARS;
        }

        @Override
        public Transfer part(String name, long bytes) {
            return isWorthABar(bytes) ? new Part(this, bar("  " + name, bytes)) : Transfer.super.part(name, bytes);
        }

        @Override
        public void advance(long bytes) {
            whole.stepBy(bytes);
        }

        @Override
        public void close() {
            whole.close();
            bars.decrementAndGet();
        }
    }

    /// The bar of one file.
    private record Part(Transfer whole, ProgressBar bar) implements Transfer {
        @Override
        public void advance(long bytes) {
            bar.stepBy(bytes);
            whole.advance(bytes);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /// Prints a line for each large file that is finished, for logs and pipes.
    private final class Lines implements Transfer {
        private final String verb;

        Lines(String verb) {
            this.verb = verb;
        }

        @Override
        public Transfer part(String name, long bytes) {
            return new Transfer() {
                private long done;

                @Override
                public synchronized void advance(long more) {
                    done += more;
                }

                @Override
                public synchronized void close() {
                    if (bytes >= SMALLEST && done >= bytes) {
                        output.say(verb + TextFormat.showable(name) + ", " + TextFormat.size(bytes));
                    }
                }
            };
        }

        @Override
        public void advance(long bytes) {
            // only finished files are reported
        }

        @Override
        public void close() {
            // the command's last line covers the rest
        }
    }
}
