package dev.sheaf.server.integrity;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Refusals.
final class Broken {
    private Broken() {}

    /// A backup that cannot be restored, or not into this installation.
    ///
    /// @param message which file or why, and what to do
    static ProblemException backup(String message) {
        return new Problem.Conflict(message).raise();
    }
}
