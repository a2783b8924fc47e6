/// Commands about queues and their jobs.
@NullMarked
package dev.sheaf.cli.queue;

import org.jspecify.annotations.NullMarked;
