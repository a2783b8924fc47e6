@NullMarked
package dev.sheaf.server.queue.claim;

import org.jspecify.annotations.NullMarked;
