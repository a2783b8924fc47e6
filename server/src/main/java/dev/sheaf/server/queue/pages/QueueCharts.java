package dev.sheaf.server.queue.pages;

import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.ReaderZone;
import dev.sheaf.server.console.chart.Chart;
import dev.sheaf.server.console.chart.Plot;
import dev.sheaf.server.queue.job.QueueCourse;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Draws how the jobs of a queue came and ended in the last hour.
///
/// @param charts jobs that came in, that ended, that failed
/// @param rows the same numbers as a table
public record QueueCharts(List<Chart> charts, List<Row> rows) {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH);
    private static final int TIMES = 4; // labels of the axis before the last one

    public QueueCharts {
        charts = List.copyOf(charts);
        rows = List.copyOf(rows);
    }

    /// @param from the beginning of its slot
    public record Row(String from, long enqueued, long finished, long failed) {}

    static QueueCharts of(QueueCourse course) {
        var charts = List.of(
                chart(course, course.enqueued(), "came in"),
                chart(course, course.finished(), "ended"),
                chart(course, course.failed(), "failed"));
        var rows = IntStream.range(0, course.enqueued().size())
                .mapToObj(i -> new Row(
                        time(course, i),
                        course.enqueued().get(i),
                        course.finished().get(i),
                        course.failed().get(i)))
                .toList();
        return new QueueCharts(charts, rows);
    }

    private static Chart chart(QueueCourse course, List<Long> counts, String what) {
        long sum = counts.stream().mapToLong(Long::longValue).sum();
        long most = Collections.max(counts);
        var plot = Plot.upToCount(most);
        String number = PageFormat.count(sum, "job", "jobs") + " " + what;
        String label = number + " in the last hour"
                + (sum == 0
                        ? ""
                        : "; most, " + PageFormat.number(most) + ", in the "
                                + course.slot().toMinutes() + " minutes from " + time(course, counts.indexOf(most)));
        var times = IntStream.range(0, TIMES).mapToObj(i -> time(course, counts.size() * i / TIMES));
        return new Chart(
                number,
                "",
                label,
                plot.levels(value -> PageFormat.number(Math.round(value))),
                Stream.concat(times, Stream.of("now")).toList(),
                List.of(),
                plot.bars(
                        counts.stream().<@Nullable Double>map(Long::doubleValue).toList()));
    }

    private static String time(QueueCourse course, int slot) {
        return CLOCK.format(course.from().plus(course.slot().multipliedBy(slot)).atZone(ReaderZone.get()));
    }
}
