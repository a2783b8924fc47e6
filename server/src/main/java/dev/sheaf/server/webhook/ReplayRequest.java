package dev.sheaf.server.webhook;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events to replay.
///
/// @param before null for up to now
public record ReplayRequest(Edge after, @Nullable Edge before) {
    /// A point between two events.
    public sealed interface Edge {}

    /// A point in time.
    public record Moment(Instant time) implements Edge {}

    /// An event's sequence number.
    public record Place(long seq) implements Edge {}

    public static ReplayRequest parse(RequestFields fields) {
        fields.only(Set.of("after", "before"));
        Edge after = fields.parsed("after", ReplayRequest::edge, new Place(0));
        Edge before = fields.has("before") ? fields.parsed("before", ReplayRequest::edge, new Place(0)) : null;
        return new ReplayRequest(after, before);
    }

    private static Edge edge(String text) {
        if (text.matches("[0-9]{1,20}")) {
            return new Place(place(text));
        }
        try {
            return new Moment(WireTimestamps.parse(text));
        } catch (ProblemException e) {
            throw Problem.invalid(
                    "format",
                    "must be an RFC 3339 time such as 2030-01-31T12:00:00Z, or the sequence of an event such as"
                            + " 00000000000000000042");
        }
    }

    private static long place(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
