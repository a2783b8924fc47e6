/// Queues of jobs: what an organization has of them, and what becomes of its jobs.
@NullMarked
package dev.sheaf.client.queue;

import org.jspecify.annotations.NullMarked;
