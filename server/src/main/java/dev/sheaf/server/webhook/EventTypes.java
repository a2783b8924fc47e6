package dev.sheaf.server.webhook;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.server.event.EventNames;
import java.util.LinkedHashSet;
import java.util.List;

/// The event types that a webhook receives: names, or the start of names followed by `*`.
public record EventTypes(List<String> names) {
    static final EventTypes ALL = new EventTypes(List.of("*"));
    private static final int MOST = 50;

    public EventTypes {
        names = List.copyOf(names);
    }

    /// Parses the output of [#toString].
    static EventTypes parse(String rows) {
        return new EventTypes(rows.lines().toList());
    }

    /// Parses the member `eventTypes`. A missing member means all types.
    static EventTypes parse(RequestFields fields) {
        var given = fields.texts("eventTypes");
        if (given == null) {
            return ALL;
        }
        if (given.isEmpty() || given.size() > MOST) {
            fields.error("eventTypes", "range", "must have 1 to " + MOST + " entries; * means all types");
            return ALL;
        }
        for (int i = 0; i < given.size(); i++) {
            String name = given.get(i);
            if (!EventNames.isKnown(name)) {
                fields.error("eventTypes/" + i, "unknown", EventNames.unknown(name));
            }
        }
        return new EventTypes(List.copyOf(new LinkedHashSet<>(given)));
    }

    /// Returns the form that is stored: one name on each line.
    @Override
    public String toString() {
        return String.join("\n", names);
    }
}
