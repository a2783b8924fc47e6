/// The base of a process: data directory, database, store, log and timers.
@NullMarked
package dev.sheaf.server.node;

import org.jspecify.annotations.NullMarked;
