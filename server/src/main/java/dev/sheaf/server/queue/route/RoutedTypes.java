package dev.sheaf.server.queue.route;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.server.event.EventNames;
import java.util.LinkedHashSet;
import java.util.List;

/// The types of events that become jobs: names, or prefixes followed by `*`. Events of jobs, queues, workers
/// and webhooks are excluded, because they would cause loops.
record RoutedTypes(List<String> names) {
    private static final int MOST = 50;
    private static final List<String> LOOPS = List.of("job.", "queue.", "worker.", "webhook.");
    private static final RoutedTypes NONE = new RoutedTypes(List.of());

    RoutedTypes {
        names = List.copyOf(names);
    }

    /// Reads the output of [#toString].
    static RoutedTypes parse(String rows) {
        return new RoutedTypes(rows.lines().toList());
    }

    /// Reads the member `eventTypes`.
    static RoutedTypes parse(RequestFields fields) {
        var given = fields.texts("eventTypes");
        if (given == null || given.isEmpty() || given.size() > MOST) {
            fields.error("eventTypes", "required", "must have 1 to " + MOST + " entries, such as version.published");
            return NONE;
        }
        for (int i = 0; i < given.size(); i++) {
            String name = given.get(i);
            if (!EventNames.isKnown(name)) {
                fields.error("eventTypes/" + i, "unknown", EventNames.unknown(name));
            } else if (LOOPS.stream().anyMatch(name::startsWith)) {
                fields.error(
                        "eventTypes/" + i,
                        "range",
                        "names events of jobs, queues, workers or webhooks, which cannot become jobs");
            }
        }
        return new RoutedTypes(List.copyOf(new LinkedHashSet<>(given)));
    }

    static boolean isLoop(String type) {
        return LOOPS.stream().anyMatch(type::startsWith);
    }

    /// Returns the stored form: one name per line.
    @Override
    public String toString() {
        return String.join("\n", names);
    }
}
