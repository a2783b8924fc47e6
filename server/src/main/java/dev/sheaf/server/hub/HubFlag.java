package dev.sheaf.server.hub;

import java.util.Locale;

/// What a search may require of the latest version of a bundle.
public enum HubFlag {
    /// It has a signature, which nobody has verified here. Signatures come and go without the version, so this one
    /// has no rows in the table of facets.
    SIGNED,
    /// It was read as a whole, and nothing was found.
    CLEAN,
    /// A run of a workflow published it, as a trusted publisher.
    WORKFLOW;

    /// Returns the name of the parameter, and the value of the facet.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
