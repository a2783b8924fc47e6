package dev.sheaf.server.blob.s3;

/// Thrown if a bucket cannot be used. The message says why and what to do.
public final class BucketException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean refusesContent;

    BucketException(String message) {
        this(message, false);
    }

    /// @param refusesContent whether the bucket exists but refuses objects that are put with these settings
    BucketException(String message, boolean refusesContent) {
        super(message);
        this.refusesContent = refusesContent;
    }

    /// Returns whether the bucket exists but refuses objects that are put with these settings; other settings may
    /// work.
    public boolean refusesContent() {
        return refusesContent;
    }
}
