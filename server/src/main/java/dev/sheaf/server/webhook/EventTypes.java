package dev.sheaf.server.webhook;

import dev.sheaf.server.event.EventNames;
import dev.sheaf.server.input.Fields;
import java.util.LinkedHashSet;
import java.util.List;

/// Which events a webhook is for: names, or the begin of names with a `*` behind it.
public record EventTypes(List<String> names) {
    static final EventTypes ALL = new EventTypes(List.of("*"));
    private static final int MOST = 50;

    public EventTypes {
        names = List.copyOf(names);
    }

    /// Reads what [#toString] wrote.
    static EventTypes parse(String rows) {
        return new EventTypes(rows.lines().toList());
    }

    /// Those of the member `eventTypes`; all where it is not there.
    static EventTypes parse(Fields fields) {
        var given = fields.texts("eventTypes");
        if (given == null) {
            return ALL;
        }
        if (given.isEmpty() || given.size() > MOST) {
            fields.error("eventTypes", "range", "must have 1 to " + MOST + " entries; * stands for all");
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

    /// The form in which rows keep them: each on a line of its own.
    @Override
    public String toString() {
        return String.join("\n", names);
    }
}
