package dev.sheaf.server.console.work;

import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// How queues and jobs look on pages.
public final class Looks {
    public static final List<String> STATES =
            List.of("queued", "scheduled", "claimed", "running", "completed", "failed", "dead", "cancelled");

    /// States of jobs that have ended.
    public static final List<String> ENDED = List.of("completed", "failed", "dead", "cancelled");

    private static final int BRIEF = 120; // characters
    private static final int SHORT = 24;
    private static final int END_OF_ID = 6;
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Looks() {}

    /// The tone of a state; empty: none.
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

    /// A state as the first word of a sentence.
    public static String word(String state) {
        return state.isEmpty() ? "" : Character.toUpperCase(state.charAt(0)) + state.substring(1);
    }

    /// How many jobs of a queue are in each state.
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

    /// A duration in its two largest units.
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
            return ms / MINUTE + " min " + ms % MINUTE / SECOND + " s";
        }
        return ms < DAY ? ms / HOUR + " h " + ms % HOUR / MINUTE + " min" : ms / DAY + " d " + ms % DAY / HOUR + " h";
    }

    public static String seconds(long seconds) {
        return took(seconds * SECOND);
    }

    /// The end of an id, by which people tell those of a list apart.
    public static String end(UUID id) {
        String text = id.toString();
        return "…" + text.substring(text.length() - END_OF_ID);
    }

    /// The beginning of some JSON on one line.
    public static String brief(@Nullable Object json) {
        if (json == null) {
            return "";
        }
        String all = new String(Json.write(json), StandardCharsets.UTF_8);
        return Show.visible(cut(all, BRIEF));
    }

    /// The beginning of a text on one line.
    public static String brief(@Nullable String text) {
        return Show.visible(cut(Show.text(text), BRIEF));
    }

    /// The beginning of a word that stands in a narrow place.
    public static String shortly(@Nullable String text) {
        return Show.visible(cut(Show.text(text), SHORT));
    }

    private static String cut(String all, int most) {
        return all.codePointCount(0, all.length()) <= most
                ? all
                : all.substring(0, all.offsetByCodePoints(0, most)) + "…";
    }

    /// Whether a job can be cancelled.
    public static boolean isOpen(Job job) {
        return !ENDED.contains(job.status());
    }

    /// Whether a job can be tried again.
    public static boolean canRetry(Job job) {
        return ENDED.contains(job.status()) && !job.status().equals("completed");
    }
}
