package dev.sheaf.server.maintenance.backup;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Problems with backups.
final class BackupErrors {
    private BackupErrors() {}

    /// Returns the problem of a backup that cannot be written, or cannot be restored into this installation.
    ///
    /// @param message the file or the reason, and what to do
    static ProblemException backup(String message) {
        return new Problem.Conflict(message).raise();
    }
}
