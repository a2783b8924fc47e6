package dev.sheaf.engine.cpu;

/// Thrown if work has used up its processor time, or if nobody waits for it any more.
public final class OverBudgetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverBudgetException(String message) {
        // without a stack trace: it is not a defect, and it is thrown at any depth inside libraries
        super(message, null, false, false);
    }
}
