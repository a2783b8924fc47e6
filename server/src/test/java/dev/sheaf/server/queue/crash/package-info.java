/// Jobs while nodes end and workers die.
@NullMarked
package dev.sheaf.server.queue.crash;

import org.jspecify.annotations.NullMarked;
