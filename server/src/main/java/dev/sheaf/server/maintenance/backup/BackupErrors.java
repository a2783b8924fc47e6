package dev.sheaf.server.maintenance.backup;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Refusals.
final class BackupErrors {
    private BackupErrors() {}

    /// A backup that cannot be restored, or not into this installation.
    ///
    /// @param message which file or why, and what to do
    static ProblemException backup(String message) {
        return new Problem.Conflict(message).raise();
    }
}
