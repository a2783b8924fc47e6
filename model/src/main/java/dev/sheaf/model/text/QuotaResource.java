package dev.sheaf.model.text;

import java.util.Locale;

/// The resources that an organization's quota limits.
public enum QuotaResource {
    BYTES,
    BUNDLES,
    VERSIONS;

    /// Returns the name for sentences and for the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
