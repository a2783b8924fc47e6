package dev.sheaf.server.registry;

import dev.sheaf.server.db.AnswerLostException;

/// Takes back what a failure left. Where that fails too, the first failure says so, and is the one that is heard of.
/// What may have been committed is never taken back.
public final class Undo {
    private Undo() {}

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
