package dev.sheaf.server.queue;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The final states of jobs that cause events.
public record JobEnds(List<String> names) {
    private static final Set<String> KNOWN = Set.of("completed", "failed", "dead", "cancelled");

    public JobEnds {
        names = List.copyOf(names);
    }

    /// Reads the output of [#toString].
    public static JobEnds parse(String rows) {
        return new JobEnds(rows.lines().toList());
    }

    /// Reads the member `events`; null if it is absent or empty.
    static @Nullable JobEnds parse(RequestFields fields) {
        var given = fields.texts("events");
        if (given == null || given.isEmpty()) {
            return null;
        }
        for (int i = 0; i < given.size(); i++) {
            if (!KNOWN.contains(given.get(i))) {
                fields.error(
                        "events/" + i,
                        "unknown",
                        "has " + Quoted.of(given.get(i)) + "; it takes cancelled, completed, dead, failed");
            }
        }
        return new JobEnds(List.copyOf(new TreeSet<>(given)));
    }

    /// Returns the stored form: one state per line.
    @Override
    public String toString() {
        return String.join("\n", names);
    }
}
