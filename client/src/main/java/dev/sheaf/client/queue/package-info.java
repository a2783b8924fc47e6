/// Manages the job queues of an organization.
@NullMarked
package dev.sheaf.client.queue;

import org.jspecify.annotations.NullMarked;
