/// The API and the pages of the hub.
@NullMarked
package dev.sheaf.server.v1.hub;

import org.jspecify.annotations.NullMarked;
