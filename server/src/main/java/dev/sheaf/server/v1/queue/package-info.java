/// The API of queues: what organizations manage and what worker programs call.
@NullMarked
package dev.sheaf.server.v1.queue;

import org.jspecify.annotations.NullMarked;
