/// Queues: where work runs, what is to be done there, and how. Jobs are in [dev.sheaf.server.queue.job], what workers
/// do with them in [dev.sheaf.server.queue.claim].
@NullMarked
package dev.sheaf.server.queue;

import org.jspecify.annotations.NullMarked;
