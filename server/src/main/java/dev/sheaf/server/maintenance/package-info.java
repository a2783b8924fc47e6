/// Maintenance tasks, such as garbage collection: how they are started, watched and stopped.
@NullMarked
package dev.sheaf.server.maintenance;

import org.jspecify.annotations.NullMarked;
