/// Events, written in the transaction that made them true (the outbox), and their feeds.
@NullMarked
package dev.sheaf.server.event;

import org.jspecify.annotations.NullMarked;
