/// Schedules, which make jobs at given times.
@NullMarked
package dev.sheaf.server.queue.schedule;

import org.jspecify.annotations.NullMarked;
