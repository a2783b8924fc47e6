package dev.sheaf.server.registry;

/// Takes back what a failure left. Where that fails too, the first failure says so, and is the one that is heard of.
final class Undo {
    private Undo() {}

    static void after(Exception why, Runnable undo) {
        try {
            undo.run();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }
}
