/// What happens in an organization, as it happens.
@NullMarked
package dev.sheaf.server.console.event;

import org.jspecify.annotations.NullMarked;
