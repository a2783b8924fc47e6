/// What everybody finds: search, publishers.
@NullMarked
package dev.sheaf.server.console.hub;

import org.jspecify.annotations.NullMarked;
