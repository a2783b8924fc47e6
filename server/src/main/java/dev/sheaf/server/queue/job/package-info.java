/// Jobs of queues: how they come in, what has become of them, and what their organization does with them.
@NullMarked
package dev.sheaf.server.queue.job;

import org.jspecify.annotations.NullMarked;
