/// Workers and where they are, and the routes that make jobs for them of events.
@NullMarked
package dev.sheaf.server.console.worker;

import org.jspecify.annotations.NullMarked;
