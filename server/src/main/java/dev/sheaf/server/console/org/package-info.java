/// Organizations: their usage, their rights, and their settings.
@NullMarked
package dev.sheaf.server.console.org;

import org.jspecify.annotations.NullMarked;
