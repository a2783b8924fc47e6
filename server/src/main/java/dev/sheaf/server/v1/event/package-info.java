/// The API of events.
@NullMarked
package dev.sheaf.server.v1.event;

import org.jspecify.annotations.NullMarked;
