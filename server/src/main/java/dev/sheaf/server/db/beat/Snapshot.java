package dev.sheaf.server.db.beat;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Which transactions of PostgreSQL had ended at a moment: the text of a `pg_snapshot`, such as `10:20:10,14`.
///
/// @param end the lowest number that was not given yet
/// @param running the numbers below `end` of transactions that had not ended
record Snapshot(long end, Set<Long> running) {
    // possessive (*+), because Java's usual repetition of a group needs a deep stack for thousands of numbers
    private static final Pattern FORM = Pattern.compile("[0-9]{1,18}:[0-9]{1,18}:([0-9]{1,18}(?:,[0-9]{1,18})*+)?");

    Snapshot {
        running = Set.copyOf(running);
    }

    /// @throws IllegalArgumentException if it is not the text of a snapshot
    static Snapshot parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not a snapshot: " + text);
        }
        String[] parts = text.split(":", -1);
        var running = parts[2].isEmpty()
                ? Set.<Long>of()
                : Arrays.stream(parts[2].split(",")).map(Long::valueOf).collect(Collectors.toSet());
        return new Snapshot(Long.parseLong(parts[1]), running);
    }

    /// Returns whether each transaction that had ended in `other` had also ended in this one.
    boolean covers(Snapshot other) {
        return end >= other.end
                && running.stream().allMatch(number -> number >= other.end || other.running.contains(number));
    }
}
