package dev.sheaf.cli;

import dev.sheaf.client.Progress;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// Shows transfers on standard error: a bar on a terminal, nothing otherwise; the command's last line says it all.
final class Display implements Progress {
    private static final int COLUMNS = 100;
    private static final long KIB = 1024;

    /// Below this the bar would flash up and be gone.
    private static final long SMALLEST = 256 * KIB;

    private final Shell shell;

    Display(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Transfer begin(Activity activity, String name, long totalBytes) {
        if (!shell.terminal() || totalBytes < SMALLEST) {
            return NONE.begin(activity, name, totalBytes);
        }
        var bar = new ProgressBarBuilder()
                .setTaskName((activity == Activity.UPLOAD ? "push " : "pull ") + name)
                .setInitialMax(totalBytes)
                .setUnit(" KiB", KIB)
                .showSpeed()
                .setUpdateIntervalMillis(100)
                .setStyle(shell.drawsUnicode() ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(shell.err(), COLUMNS))
                .clearDisplayOnFinish()
                .build();
        return new Transfer() {
            @Override
            public void advance(long bytes) {
                bar.stepBy(bytes);
            }

            @Override
            public void close() {
                bar.close();
            }
        };
    }

    @Override
    public void notice(String message) {
        shell.say("note: " + Text.showable(message));
    }
}
