package dev.sheaf.model;

/// The reason for refusing the head of a request, if it is not malformed.
public enum RequestHeadFault {
    URI_TOO_LONG,
    FIELDS_TOO_LARGE,
    CODING_UNKNOWN,
    VERSION_UNSUPPORTED
}
