package dev.sheaf.engine.blob.s3;

/// Thrown if a bucket cannot be used. The message says why and what to do.
public final class BucketException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean refusesContent;
    private final boolean passing;

    /// @param refusesContent whether the bucket exists but refuses objects that are put with these settings
    /// @param passing whether it did not answer, so that it may answer later
    BucketException(String message, boolean refusesContent, boolean passing) {
        super(message);
        this.refusesContent = refusesContent;
        this.passing = passing;
    }

    /// Returns whether the bucket did not answer, or failed, so that it may answer later.
    public boolean isPassing() {
        return passing;
    }

    /// Returns whether the bucket exists but refuses objects that are put with these settings; other settings may
    /// work.
    public boolean refusesContent() {
        return refusesContent;
    }
}
