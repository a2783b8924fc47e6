/// JSON of queues, jobs and workers.
@NullMarked
package dev.sheaf.model.wire.queue;

import org.jspecify.annotations.NullMarked;
