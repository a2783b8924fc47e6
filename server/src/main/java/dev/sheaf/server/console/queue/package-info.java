/// Queues, their jobs and schedules, and the workers that do them.
@NullMarked
package dev.sheaf.server.console.queue;

import org.jspecify.annotations.NullMarked;
