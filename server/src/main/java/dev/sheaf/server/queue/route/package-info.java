/// Events that become jobs.
@NullMarked
package dev.sheaf.server.queue.route;

import org.jspecify.annotations.NullMarked;
