package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.org.EventRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The events of an organization, or of all public bundles, oldest first. Thread-safe.
///
/// To follow them, ask for the events after a cursor, handle them, store the new cursor, and ask again.
public final class Events {
    /// The cursor for future events only.
    public static final String LATEST = "latest";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LIMIT = 100;

    private final RegistryTransport transport;
    private final String path;

    Events(RegistryTransport transport, String path) {
        this.transport = transport;
        this.path = path;
    }

    /// Selects events by exact type and subject, or by prefix if the value ends in `*`.
    ///
    /// @param types such as `version.*`; empty means all
    /// @param subject such as `acme/kit:*`; null means any
    public record Filter(List<String> types, @Nullable String subject) {
        public Filter {
            types = List.copyOf(types);
        }

        private String query() {
            return (types.isEmpty() ? "" : "&types=" + HttpCall.encode(String.join(",", types)))
                    + (subject == null ? "" : "&subject=" + HttpCall.encode(subject));
        }
    }

    /// Returns up to 100 events after a cursor. `nextCursor` of the result is never null.
    ///
    /// @param after a cursor, or [#LATEST]; null to begin with the oldest stored event
    /// @param wait how long to wait if no event exists yet, at most 30 seconds
    /// @throws SheafException.NotFound with the code `cursor-expired` if events after the cursor were deleted
    public Page<EventRecord> after(@Nullable String after, Filter filter, Duration wait) {
        var waits = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
        String query = "?limit=" + LIMIT + "&wait=" + waits.toSeconds() + filter.query()
                + (after == null ? "" : "&after=" + HttpCall.encode(after));
        return transport.page(
                HttpCall.get(transport.at(path + query)).answeredWithin(PATIENCE.plus(waits)), EventRecord.class);
    }
}
