/// Queues with their settings, instructions and habitats. Jobs are in [dev.sheaf.server.queue.job]; the
/// protocol of workers is in [dev.sheaf.server.queue.claim].
@NullMarked
package dev.sheaf.server.queue;

import org.jspecify.annotations.NullMarked;
