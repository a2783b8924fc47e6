/// The events of an organization.
@NullMarked
package dev.sheaf.server.event.pages;

import org.jspecify.annotations.NullMarked;
