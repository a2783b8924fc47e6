package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.org.EventRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What happens in an organization, or to all public bundles, the oldest first. Thread-safe.
///
/// To follow it, ask for what is behind a cursor, handle that, keep the cursor of the answer, and ask again.
public final class Events {
    /// In place of a cursor: only what comes from now on.
    public static final String LATEST = "latest";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LIMIT = 100;

    private final Transport transport;
    private final String path;

    Events(Transport transport, String path) {
        this.transport = transport;
        this.path = path;
    }

    /// Which events, each exactly or all that begin with what stands before a last `*`.
    ///
    /// @param types such as `version.*`; empty: all
    /// @param subject such as `acme/kit:*`; null: any
    public record Filter(List<String> types, @Nullable String subject) {
        public Filter {
            types = List.copyOf(types);
        }

        private String query() {
            return (types.isEmpty() ? "" : "&types=" + Call.encode(String.join(",", types)))
                    + (subject == null ? "" : "&subject=" + Call.encode(subject));
        }
    }

    /// Up to 100 events behind a cursor. `nextCursor` of what is answered is never null.
    ///
    /// @param after a cursor, or [#LATEST]; null: the oldest events that are left
    /// @param wait for something to come where there is nothing yet; at most 30 seconds
    /// @throws SheafException.NotFound with the code `cursor-expired` where events behind it are gone
    public Page<EventRecord> after(@Nullable String after, Filter filter, Duration wait) {
        var waits = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
        String query = "?limit=" + LIMIT + "&wait=" + waits.toSeconds() + filter.query()
                + (after == null ? "" : "&after=" + Call.encode(after));
        return transport.page(
                Call.get(transport.at(path + query)).answeredWithin(PATIENCE.plus(waits)), EventRecord.class);
    }
}
