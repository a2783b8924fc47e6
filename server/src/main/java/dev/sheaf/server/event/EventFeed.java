package dev.sheaf.server.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A numbered series of events: the events of an organization, or of the hub.
///
/// @param organization null for the hub
public record EventFeed(@Nullable UUID organization) {
    public static final EventFeed HUB = new EventFeed(null);

    /// Returns the name used in rows.
    String name() {
        return organization == null ? "hub" : organization.toString();
    }
}
