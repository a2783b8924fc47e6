package dev.sheaf.server.cpu;

/// A piece of work has taken what it may take of a processor, or nobody waits for it any more.
public final class OverBudgetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverBudgetException(String message) {
        super(message, null, false, false); // thrown at any depth of other people's code, and no defect
    }
}
