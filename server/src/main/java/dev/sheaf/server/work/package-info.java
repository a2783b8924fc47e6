/// Work that takes time and runs beside requests: what one node at a time does ([Worker]), what a task is, what
/// it says of itself, and how it recurs.
@NullMarked
package dev.sheaf.server.work;

import org.jspecify.annotations.NullMarked;
