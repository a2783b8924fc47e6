package dev.sheaf.server.hub;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import org.jspecify.annotations.Nullable;

/// A place in a list that shows several things of each bundle: so many of the bundle after a position of the hub's
/// list.
///
/// @param position null for the first bundle
public record HubPlace(int skip, @Nullable String position) {
    public static final HubPlace FIRST = new HubPlace(0, null);

    /// Parses what [#toString] returned.
    ///
    /// @throws ProblemException invalid-cursor
    public static HubPlace parse(String text) {
        int colon = text.indexOf(':');
        try {
            int skip = Integer.parseInt(text.substring(0, Math.max(colon, 0)));
            String position = text.substring(colon + 1);
            if (skip >= 0) {
                return new HubPlace(skip, position.isEmpty() ? null : position);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new Problem.InvalidCursor().raise();
    }

    @Override
    public String toString() {
        return skip + ":" + (position == null ? "" : position);
    }
}
