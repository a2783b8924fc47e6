package dev.sheaf.server.module;

import dev.sheaf.engine.work.Task;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.node.NodeTimer;
import java.util.List;

/// One feature of a node. It creates the feature's objects, and returns its routes, tasks, and work at start
/// and stop. The defaults are empty.
public interface FeatureModule {
    /// Returns the routes of the API.
    default List<Route> routes() {
        return List.of();
    }

    /// Returns surfaces with their own format of errors.
    default List<RouteSurface> surfaces() {
        return List.of();
    }

    /// Returns the tasks that administrators can start.
    default List<AdminTask> tasks() {
        return List.of();
    }

    /// Returns the tasks that delete rows past their retention time, in small steps.
    default List<Task> expiring() {
        return List.of();
    }

    /// Starts recurring work. The node already answers requests.
    default void begin(NodeTimer timer) {}

    /// Ends requests that wait, such as for events. The node still answers other requests.
    default void leave() {}

    /// Asks running work to end, without waiting for it.
    default void stop() {}

    /// The last work before the stop, such as writing data that is only in memory.
    ///
    /// @param otherwise what it means if the work fails, for the log
    record Last(String otherwise, Runnable work) {}

    /// Returns the last work before the stop. Each runs separately, so that a failure affects only its own data.
    default List<Last> last() {
        return List.of();
    }
}
