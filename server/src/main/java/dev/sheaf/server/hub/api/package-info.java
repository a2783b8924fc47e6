/// The API and the pages of the hub.
@NullMarked
package dev.sheaf.server.hub.api;

import org.jspecify.annotations.NullMarked;
