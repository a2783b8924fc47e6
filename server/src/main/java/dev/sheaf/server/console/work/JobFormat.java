package dev.sheaf.server.console.work;

import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Formats queues and jobs for pages.
public final class JobFormat {
    public static final List<String> STATES =
            List.of("queued", "scheduled", "claimed", "running", "completed", "failed", "dead", "cancelled");

    /// States of jobs that have ended.
    public static final List<String> ENDED = List.of("completed", "failed", "dead", "cancelled");

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int BRIEF = 120; // characters
    private static final int SHORT = 24;
    private static final int END_OF_ID = 6;
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private JobFormat() {}

    /// Returns the tone of a state; empty if it has none.
    public static String tone(String state) {
        return switch (state) {
            case "running", "progress", "started" -> "info";
            case "completed", "active", "online", "delivered" -> "ok";
            case "failed", "dead", "lost", "timed-out" -> "bad";
            case "paused", "archived", "scheduled", "released", "pending" -> "warn";
            default -> "";
        };
    }

    public static String icon(String state) {
        return switch (tone(state)) {
            case "ok" -> "check";
            case "bad" -> "stop";
            case "" -> "info";
            default -> "clock";
        };
    }

    /// Returns a state as the first word of a sentence.
    public static String word(String state) {
        return state.isEmpty() ? "" : Character.toUpperCase(state.charAt(0)) + state.substring(1);
    }

    /// Returns the number of a queue's jobs in each state.
    public static Map<String, Long> counts(Queue.Counts counts) {
        var all = new LinkedHashMap<String, Long>();
        all.put("queued", counts.queued());
        all.put("scheduled", counts.scheduled());
        all.put("claimed", counts.claimed());
        all.put("running", counts.running());
        all.put("completed", counts.completed());
        all.put("failed", counts.failed());
        all.put("dead", counts.dead());
        all.put("cancelled", counts.cancelled());
        return all;
    }

    /// Returns a duration in its two largest units.
    public static String took(@Nullable Long milliseconds) {
        if (milliseconds == null) {
            return "";
        }
        long ms = milliseconds;
        if (ms < SECOND) {
            return ms + " ms";
        }
        if (ms < MINUTE) {
            return ms / SECOND + " s";
        }
        if (ms < HOUR) {
            return two(ms / MINUTE, "min", ms % MINUTE / SECOND, "s");
        }
        return ms < DAY ? two(ms / HOUR, "h", ms % HOUR / MINUTE, "min") : two(ms / DAY, "d", ms % DAY / HOUR, "h");
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }

    public static String seconds(long seconds) {
        return took(seconds * SECOND);
    }

    /// Returns the end of an id, which differs between the entries of a list.
    public static String end(UUID id) {
        String text = id.toString();
        return "…" + text.substring(text.length() - END_OF_ID);
    }

    /// Returns whether a text is an id, which says nothing to people.
    public static boolean isId(@Nullable String text) {
        return text != null && ID.matcher(text).matches();
    }

    /// Returns words for the subject of an event that is an id: what it is, and the end of the id.
    public static String idOf(String type, String id) {
        return type.substring(0, Math.max(0, type.indexOf('.'))).replace('_', ' ') + " " + end(UUID.fromString(id));
    }

    /// Returns the beginning of JSON on one line.
    public static String brief(@Nullable Object json) {
        if (json == null) {
            return "";
        }
        String all = new String(Json.write(json), StandardCharsets.UTF_8);
        return PageFormat.visible(cut(all, BRIEF));
    }

    /// Returns the beginning of a text on one line.
    public static String brief(@Nullable String text) {
        return PageFormat.visible(cut(PageFormat.text(text), BRIEF));
    }

    /// Returns the beginning of a word for a narrow place.
    public static String shortly(@Nullable String text) {
        return PageFormat.visible(cut(PageFormat.text(text), SHORT));
    }

    /// Returns the last line of a message, which usually names the cause: that is where programs end.
    public static String lastLine(@Nullable String message) {
        return brief(
                PageFormat.text(message).strip().lines().reduce("", (before, line) -> line.isBlank() ? before : line));
    }

    /// Returns whether [#lastLine] shows all of a message.
    public static boolean isOneLine(@Nullable String message) {
        String all = PageFormat.text(message).strip();
        return all.lines().count() <= 1 && all.codePointCount(0, all.length()) <= BRIEF;
    }

    /// The reason for the state of a job, as a sentence.
    public static String reason(@Nullable String word) {
        return switch (PageFormat.text(word)) {
            case "retry" -> "An attempt failed; the next one is planned.";
            case "retried" -> "It was retried by hand.";
            case "released" -> "Its worker gave it back.";
            case "lost" -> "Its worker was lost.";
            case "timed-out" -> "It took longer than its time limit.";
            case "attempts-used-up" -> "All its attempts have failed.";
            default -> brief(word);
        };
    }

    /// Returns whether a job ended with the failure that it has. A job that is tried again has that of an earlier
    /// attempt.
    public static boolean hasFailed(Job job) {
        return job.status().equals("failed") || job.status().equals("dead");
    }

    /// Returns the code of the error of a job that has failed, to follow its state; empty in other states.
    public static String cause(Job job) {
        return job.errorCode() == null || !hasFailed(job) ? "" : ": " + shortly(job.errorCode());
    }

    private static String cut(String all, int most) {
        return all.codePointCount(0, all.length()) <= most
                ? all
                : all.substring(0, all.offsetByCodePoints(0, most)) + "…";
    }

    /// Returns whether a job can be cancelled.
    public static boolean isOpen(Job job) {
        return !ENDED.contains(job.status());
    }

    /// Returns whether a job can be tried again.
    public static boolean canRetry(Job job) {
        return ENDED.contains(job.status()) && !job.status().equals("completed");
    }
}
