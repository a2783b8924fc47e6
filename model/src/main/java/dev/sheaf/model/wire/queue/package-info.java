/// Queues, jobs and workers as the API sends and reads them.
@NullMarked
package dev.sheaf.model.wire.queue;

import org.jspecify.annotations.NullMarked;
