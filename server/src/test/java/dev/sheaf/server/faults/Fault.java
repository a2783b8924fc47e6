package dev.sheaf.server.faults;

import java.time.Duration;

/// Something that breaks for a while.
///
/// @param length from the end of `begin` to the start of `end`
/// @param end after which nothing is broken any more
record Fault(String name, Cluster.Kind kind, Duration length, Step begin, Step end) {
    interface Step {
        void on(Cluster cluster) throws Exception;
    }
}
