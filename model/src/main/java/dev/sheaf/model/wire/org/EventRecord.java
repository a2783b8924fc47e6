package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event as CloudEvents 1.0 in structured JSON mode.
///
/// @param source `/organizations/` followed by the handle
/// @param type such as `version.published`
/// @param subject such as `acme/kit:1.2.0`
/// @param sequence 20 digits that order the organization's events; null if it is not shown
/// @param data the members depend on the type; includes `actor` if it is known
public record EventRecord(
        String specversion,
        UUID id,
        String source,
        String type,
        String subject,
        Instant time,
        String datacontenttype,
        @Nullable String sequence,
        Map<String, Object> data) {
    public EventRecord {
        data = Collections.unmodifiableMap(new LinkedHashMap<>(data)); // keeps the order
    }

    /// The cause of an event.
    ///
    /// @param type `key`, `user`, `publisher` or `operator`
    /// @param id the id of the key, the user or the trusted publisher
    /// @param name a key's name, a user's e-mail address, or a CI run
    public record Actor(
            String type, @Nullable String id, @Nullable String name) {}
}
