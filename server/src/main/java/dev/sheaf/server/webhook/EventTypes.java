package dev.sheaf.server.webhook;

import dev.sheaf.model.text.Quoted;
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
            if (EventNames.all().stream().noneMatch(known -> matches(name, known))) {
                fields.error(
                        "eventTypes/" + i,
                        "unknown",
                        "has " + Quoted.of(name) + ", which is no event; docs/events.md lists them, such as"
                                + " version.published; version.* stands for all that begin so");
            }
        }
        return new EventTypes(List.copyOf(new LinkedHashSet<>(given)));
    }

    /// Whether a name, or the begin of names, stands for an event.
    static boolean matches(String name, String event) {
        return name.endsWith("*") ? event.startsWith(name.substring(0, name.length() - 1)) : event.equals(name);
    }

    /// The form in which rows keep them: each on a line of its own.
    @Override
    public String toString() {
        return String.join("\n", names);
    }
}
