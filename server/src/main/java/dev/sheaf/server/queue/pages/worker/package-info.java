/// Workers, their habitats, and the routes that create jobs for events.
@NullMarked
package dev.sheaf.server.queue.pages.worker;

import org.jspecify.annotations.NullMarked;
