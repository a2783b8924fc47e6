/// The API of queues: what organizations manage and what worker programs call.
@NullMarked
package dev.sheaf.server.queue.api;

import org.jspecify.annotations.NullMarked;
