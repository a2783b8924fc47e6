/// The API of events.
@NullMarked
package dev.sheaf.server.event.api;

import org.jspecify.annotations.NullMarked;
