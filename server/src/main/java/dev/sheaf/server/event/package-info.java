/// Events, written in the transactions of their changes (the outbox), and their feeds.
@NullMarked
package dev.sheaf.server.event;

import org.jspecify.annotations.NullMarked;
