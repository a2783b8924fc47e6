package dev.sheaf.server.queue.pages;

import dev.sheaf.model.wire.queue.JobEvent;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.PageFormat;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The log of a job: what happened to it and what its workers reported, a line for each. The end of a long log is
/// shown.
///
/// @param text the last lines, as a page shows them
/// @param lines how many lines it has
/// @param isCut whether earlier lines are missing
public record JobLog(String text, long lines, boolean isCut) {
    private static final int MOST = 16 << 10; // bytes of the page

    /// @param find a text that the lines contain, in any case; empty for all lines
    static JobLog of(List<JobEvent> events, String find) {
        var all = lines(events).filter(contains(find.toLowerCase(Locale.ROOT))).toList();
        int first = all.size();
        int left = MOST;
        while (first > 0) {
            left -= LongText.of(all.get(first - 1), MOST).bytes() + 1;
            if (left < 0 && first < all.size()) {
                break;
            }
            first--;
        }
        String text = LongText.of(String.join("\n", all.subList(first, all.size())), MOST)
                .text();
        return new JobLog(text.isEmpty() ? "No line has this text." : text, all.size(), first > 0);
    }

    /// Returns the whole log.
    static String whole(List<JobEvent> events) {
        return lines(events).map(line -> line + "\n").collect(Collectors.joining());
    }

    private static Predicate<String> contains(String find) {
        return line -> line.toLowerCase(Locale.ROOT).contains(find);
    }

    private static Stream<String> lines(List<JobEvent> events) {
        return events.stream().flatMap(JobLog::lines);
    }

    /// A message of several lines has a line of the log for each of them.
    private static Stream<String> lines(JobEvent event) {
        String start = time(event.at()) + " " + event.type()
                + (event.attempt() == null ? "" : " (attempt " + event.attempt() + ")")
                + (event.percent() == null ? "" : " " + event.percent() + " %");
        var message = PageFormat.text(event.message()).strip().lines().toList();
        return message.isEmpty()
                ? Stream.of(start)
                : Stream.concat(
                        Stream.of(start + ": " + message.getFirst()),
                        message.stream().skip(1).map(line -> "    " + line));
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
