package dev.sheaf.server.queue;

import dev.sheaf.engine.input.RequestFields;

/// Whole numbers within bounds, as members of requests.
public final class NumberBounds {
    private NumberBounds() {}

    /// Returns the member; `otherwise` if it is absent. A value out of bounds is reported as an error, and also
    /// returns `otherwise`.
    public static int of(RequestFields fields, String name, int least, int most, int otherwise) {
        Long given = fields.count(name);
        if (given == null) {
            return otherwise;
        }
        if (given < least || given > most) {
            fields.error(name, "range", "must be a whole number from " + least + " to " + most);
            return otherwise;
        }
        return given.intValue();
    }
}
