package dev.sheaf.server.queue;

import dev.sheaf.server.input.Fields;

/// Whole numbers with bounds, as members of requests.
public final class Numbers {
    private Numbers() {}

    /// The member, or `otherwise` where it is absent or, which is an error, out of its bounds.
    public static int of(Fields fields, String name, int least, int most, int otherwise) {
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
