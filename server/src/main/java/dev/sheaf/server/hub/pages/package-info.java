/// Public pages: search and publishers.
@NullMarked
package dev.sheaf.server.hub.pages;

import org.jspecify.annotations.NullMarked;
