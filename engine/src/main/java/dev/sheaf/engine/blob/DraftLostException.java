package dev.sheaf.engine.blob;

/// Thrown if a draft does not hold the bytes that the database says it holds.
public final class DraftLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DraftLostException(DraftId draft, long expected, long found) {
        super("draft " + draft.part() + " holds " + found + " bytes instead of " + expected);
    }
}
