package dev.sheaf.server.cpu;

/// Thrown if work has used up its processor time, or nobody waits for it any more.
public final class OverBudgetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverBudgetException(String message) {
        // without stack trace: not a defect, and thrown at any depth inside libraries
        super(message, null, false, false);
    }
}
