/// Upkeep that takes time, such as the collector: how it is run, watched and stopped.
@NullMarked
package dev.sheaf.server.maintenance;

import org.jspecify.annotations.NullMarked;
