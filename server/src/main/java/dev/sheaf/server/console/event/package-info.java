/// The events of an organization.
@NullMarked
package dev.sheaf.server.console.event;

import org.jspecify.annotations.NullMarked;
