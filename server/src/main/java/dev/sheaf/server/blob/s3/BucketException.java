package dev.sheaf.server.blob.s3;

/// A bucket cannot be used; the message says why and what to do.
public final class BucketException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean refusesContent;

    BucketException(String message) {
        this(message, false);
    }

    /// @param refusesContent whether the bucket is there, and objects cannot be kept in it this way
    BucketException(String message, boolean refusesContent) {
        super(message);
        this.refusesContent = refusesContent;
    }

    /// Whether the bucket is there, and objects cannot be kept in it this way: another way may do.
    public boolean refusesContent() {
        return refusesContent;
    }
}
