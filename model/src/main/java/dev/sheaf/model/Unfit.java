package dev.sheaf.model;

/// Why the head of a request cannot be taken, where it is not just malformed.
public enum Unfit {
    URI_TOO_LONG,
    FIELDS_TOO_LARGE,
    CODING_UNKNOWN,
    VERSION_UNSUPPORTED
}
