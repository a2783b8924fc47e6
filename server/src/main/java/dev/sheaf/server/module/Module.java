package dev.sheaf.server.module;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.node.Timer;
import dev.sheaf.server.work.Task;
import java.util.List;
import java.util.Map;

/// One feature of a node. It makes the feature's objects and says what of them the node serves, repeats and closes;
/// whatever one does not say it does not have.
public interface Module {
    /// Routes of the API.
    default List<Route> routes() {
        return List.of();
    }

    /// Parts of the service with their own way to write errors.
    default List<Surface> surfaces() {
        return List.of();
    }

    /// What administrators can start, by name.
    default Map<String, Task> tasks() {
        return Map.of();
    }

    /// Begins what recurs; the node answers by now.
    default void begin(Timer timer) {}

    /// Ends what waits for others on behalf of requests; the node still answers.
    default void leave() {}

    /// Asks what runs to end, and waits for nothing.
    default void stop() {}

    /// Writes what of the last seconds is still only in memory, each on its own: one that fails loses only its own.
    default List<Runnable> last() {
        return List.of();
    }
}
