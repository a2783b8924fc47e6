package dev.sheaf.server.blob;

/// A bucket cannot be used; the message says why and what to do.
public final class BucketException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BucketException(String message) {
        super(message);
    }
}
