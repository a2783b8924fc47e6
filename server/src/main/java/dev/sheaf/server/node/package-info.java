/// What a process stands on: its folder, its database, its store, its log, its timers.
@NullMarked
package dev.sheaf.server.node;

import org.jspecify.annotations.NullMarked;
