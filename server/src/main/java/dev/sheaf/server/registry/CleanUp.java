package dev.sheaf.server.registry;

import dev.sheaf.engine.db.AnswerLostException;

/// Cleans up after a failure. If the clean-up fails too, its failure is added to the first one, which is the
/// one that is reported. Data that may have been committed is never removed.
public final class CleanUp {
    private CleanUp() {}

    public static void after(Exception why, Runnable undo) {
        if (why instanceof AnswerLostException) {
            return;
        }
        try {
            undo.run();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }
}
