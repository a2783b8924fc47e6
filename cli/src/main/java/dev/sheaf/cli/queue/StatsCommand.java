package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.queue.QueueStats;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows the statistics of a queue.
@Command(name = "stats", description = "Shows the latest numbers and failures of a queue.")
public final class StatsCommand extends QueueCommand.OfQueue {
    @Option(names = "--window", paramLabel = "PERIOD", description = "How far back. Default: 1h.")
    private Duration window = Duration.ofHours(1);

    public StatsCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var stats = queues(client).stats(queue, window);
        output.show(
                stats,
                shell -> {
                    summary(stats).print(shell);
                    if (!stats.failuresByErrorCode().isEmpty()) {
                        var table = new Table("FAILURES", "CODE").right("FAILURES");
                        stats.failuresByErrorCode().entrySet().stream()
                                .sorted(Map.Entry.<String, Long>comparingByValue()
                                        .reversed()
                                        .thenComparing(Map.Entry.comparingByKey()))
                                .forEach(failure -> table.row(failure.getValue(), failure.getKey()));
                        shell.out().println();
                        table.print(shell, "");
                    }
                },
                () -> List.of(stats.enqueued(), stats.finished()));
        return ExitCode.OK;
    }

    private static Summary summary(QueueStats stats) {
        return new Summary()
                .line("window", window(stats.window()))
                .line("enqueued", stats.enqueued() + rate(stats.enqueuedPerMinute()))
                .line("finished", stats.finished() + rate(stats.finishedPerMinute()))
                .line("wait time", times(stats.waitMs()))
                .line("run time", times(stats.runMs()))
                .line("oldest queued", stats.oldestQueuedAt())
                .line("note", stats.sampled() ? "times and failures are from the last 10,000 jobs" : null);
    }

    private static String window(String period) {
        try {
            return Text.period(Duration.parse(period));
        } catch (DateTimeException e) {
            return period;
        }
    }

    private static String rate(double perMinute) {
        return perMinute < 0.05 ? "" : " (%.1f a minute)".formatted(perMinute);
    }

    private static @Nullable String times(QueueStats.@Nullable Times times) {
        return times == null ? null : "median " + times.p50() + " ms, 95th percentile " + times.p95() + " ms";
    }
}
