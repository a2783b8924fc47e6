/// Queues, their jobs and schedules, and the workers that do them.
@NullMarked
package dev.sheaf.server.queue.pages;

import org.jspecify.annotations.NullMarked;
