package dev.sheaf.model.text;

import java.util.Locale;

/// What is counted for an organization, and limited by its quota.
public enum Counted {
    BYTES,
    BUNDLES,
    VERSIONS;

    /// As it stands in sentences and in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
