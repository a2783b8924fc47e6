package dev.sheaf.model.passport;

import java.util.Locale;

/// How bad a finding is.
public enum Severity {
    INFO,
    LOW,
    MEDIUM,
    HIGH;

    /// Returns the name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
