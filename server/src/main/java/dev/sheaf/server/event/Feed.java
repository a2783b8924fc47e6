package dev.sheaf.server.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A series of events with numbers of its own: of an organization, or of what everybody sees.
///
/// @param organization null: the hub's
public record Feed(@Nullable UUID organization) {
    public static final Feed HUB = new Feed(null);

    /// The name under which rows know it.
    String name() {
        return organization == null ? "hub" : organization.toString();
    }
}
