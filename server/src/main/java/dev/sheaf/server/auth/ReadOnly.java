package dev.sheaf.server.auth;

import java.util.function.Supplier;

/// Refuses changes while the installation is read-only. Thread-safe.
public interface ReadOnly {
    /// The path under which the mode is changed, which therefore always works.
    String PATH = "/v1/admin/mode";

    /// The path of tasks, which checks the mode itself.
    String TASKS = "/v1/admin/tasks";

    /// Bound on the thread of a change.
    ScopedValue<ReadOnly> IN_CHANGE = ScopedValue.newInstance();

    ReadOnly NEVER = () -> {};

    /// @throws dev.sheaf.model.ProblemException unavailable if the installation is read-only
    void check();

    /// Returns whether changes at this path are never refused.
    static boolean isExempt(String path) {
        return path.equals(PATH) || path.startsWith(TASKS);
    }

    /// Runs a change. [#checkChange] checks the mode again on its thread.
    default <T> T during(Supplier<T> change) {
        return ScopedValue.where(IN_CHANGE, this).call(change::get);
    }

    /// Checks the mode if this thread runs a change.
    ///
    /// @throws dev.sheaf.model.ProblemException as [#check]
    static void checkChange() {
        if (IN_CHANGE.isBound()) {
            IN_CHANGE.get().check();
        }
    }
}
