package dev.sheaf.model;

/// Why the head of a request is refused, other than for being malformed.
public enum Unfit {
    URI_TOO_LONG,
    FIELDS_TOO_LARGE,
    CODING_UNKNOWN,
    VERSION_UNSUPPORTED
}
