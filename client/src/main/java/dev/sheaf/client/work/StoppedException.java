package dev.sheaf.client.work;

/// A handler may throw this when it is interrupted, to say how far its work was. If the job has reached its timeout,
/// the message of the failure contains it.
public final class StoppedException extends InterruptedException {
    private static final long serialVersionUID = 1;

    /// @param said a text for people, such as the end of a program's output
    public StoppedException(String said) {
        super(said);
    }
}
