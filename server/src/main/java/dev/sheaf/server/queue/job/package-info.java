/// Jobs of queues: how they are added, their state, and how their organization manages them.
@NullMarked
package dev.sheaf.server.queue.job;

import org.jspecify.annotations.NullMarked;
