/// Public pages: search and publishers.
@NullMarked
package dev.sheaf.server.console.hub;

import org.jspecify.annotations.NullMarked;
