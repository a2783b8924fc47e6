/// What happened, written in the transaction that made it true (the outbox).
@NullMarked
package dev.sheaf.server.event;

import org.jspecify.annotations.NullMarked;
